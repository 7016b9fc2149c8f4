/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.ipc;

/** Makes a test's thread a handler of a call. Stands in this package to reach package-private members of HDFS. */
public final class HandledCall {

    private static final int CLIENT_ID_BYTES = 16;

    private HandledCall() {}

    /** This thread handles a call that HDFS's scheduler has given a priority. */
    public static Server.Call begin(int priority) {
        Server.Call call = new Server.Call(1, 0, RPC.RpcKind.RPC_PROTOCOL_BUFFER, new byte[CLIENT_ID_BYTES]);
        call.setPriorityLevel(priority);
        Server.getCurCall().set(call);
        return call;
    }

    /** This thread handles no call. */
    public static void end() {
        Server.getCurCall().remove();
    }
}
