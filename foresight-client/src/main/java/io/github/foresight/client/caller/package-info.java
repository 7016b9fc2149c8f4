/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Who calls: HDFS sends the same request, and opens a block in the same way, for several purposes. {@link
 * io.github.foresight.client.caller.CallStack} tells them apart by the calling methods.
 */
package io.github.foresight.client.caller;
