/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.ipc;

import org.apache.hadoop.thirdparty.protobuf.BlockingService;

/** The service of an RPC server for a protocol, which is package-private in Hadoop. */
public final class RegisteredService {

    private RegisteredService() {}

    /** The service that answers the protocol's calls. */
    public static BlockingService of(RPC.Server server, Class<?> protocol) {
        return server.getProtocolImplMap(RPC.RpcKind.RPC_PROTOCOL_BUFFER).values().stream()
                .filter(registered -> registered.protocolClass == protocol)
                .map(registered -> (BlockingService) registered.protocolImpl)
                .findFirst()
                .orElseThrow();
    }
}
