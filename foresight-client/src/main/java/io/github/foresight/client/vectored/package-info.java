/* SPDX-License-Identifier: Apache-2.0 */
/** Vectored reads of a stream, many ranges at a time: {@link io.github.foresight.client.vectored.VectoredReads}. */
package io.github.foresight.client.vectored;
