/* SPDX-License-Identifier: Apache-2.0 */
/** The metrics of a client's JVM. */
package io.github.foresight.client.metrics;
