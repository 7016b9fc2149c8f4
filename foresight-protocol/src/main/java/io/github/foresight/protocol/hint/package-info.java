/* SPDX-License-Identifier: Apache-2.0 */
/** The hint protocol as Hadoop RPC sees it: {@link io.github.foresight.protocol.hint.HintProtocolPB}. */
package io.github.foresight.protocol.hint;
