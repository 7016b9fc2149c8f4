/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.hint;

import io.github.foresight.protocol.proto.HintProtos.HintProtocolService;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSelector;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;
import org.apache.hadoop.security.token.TokenInfo;

/**
 * The hint protocol, served on the DataNode's own IPC port beside {@code ClientDatanodeProtocol}.
 *
 * <p>The annotations are those of {@code ClientDatanodeProtocolPB}, so a client authenticates to it in the same ways: with
 * Kerberos as the DataNode's principal demands, or with a block token.
 */
@KerberosInfo(serverPrincipal = HdfsClientConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY)
@TokenInfo(BlockTokenSelector.class)
@ProtocolInfo(protocolName = HintProtocolPB.PROTOCOL_NAME, protocolVersion = HintProtocolPB.PROTOCOL_VERSION)
public interface HintProtocolPB extends HintProtocolService.BlockingInterface {

    /**
     * The name under which the protocol is registered with the DataNode's IPC server. It is this interface's own, for a server
     * with {@code hadoop.security.authorization} loads the class of that name to find its ACL.
     */
    String PROTOCOL_NAME = "io.github.foresight.protocol.hint.HintProtocolPB";

    /** Raised only when a change cannot be read by older peers. */
    long PROTOCOL_VERSION = 1;

    /**
     * The service ACL that applies where {@code hadoop.security.authorization} is true; unset, it is as open as Hadoop's
     * {@code security.service.authorization.default.acl}.
     */
    String SERVICE_ACL_KEY = "security.foresight.hint.protocol.acl";
}
