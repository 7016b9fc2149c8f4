/* SPDX-License-Identifier: Apache-2.0 */
/** The hint protocol in Hadoop RPC: {@link io.github.foresight.protocol.hint.HintProtocolPB}. */
package io.github.foresight.protocol.hint;
