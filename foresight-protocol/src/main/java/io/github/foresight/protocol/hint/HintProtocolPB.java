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
 * <p>The annotations are those of {@code ClientDatanodeProtocolPB}. A client authenticates in the same ways: with
 * Kerberos as the DataNode's principal demands, or with a block token.
 */
@KerberosInfo(serverPrincipal = HdfsClientConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY)
@TokenInfo(BlockTokenSelector.class)
@ProtocolInfo(protocolName = HintProtocolPB.PROTOCOL_NAME, protocolVersion = HintProtocolPB.PROTOCOL_VERSION)
public interface HintProtocolPB extends HintProtocolService.BlockingInterface {

    /**
     * The name under which the protocol is registered with the DataNode's IPC server. It is the name of this interface,
     * because a server with {@code hadoop.security.authorization} loads the class of this name to find its ACL.
     */
    String PROTOCOL_NAME = "io.github.foresight.protocol.hint.HintProtocolPB";

    /** Raised only when older peers cannot read a change. */
    long PROTOCOL_VERSION = 1;

    /**
     * The service ACL if {@code hadoop.security.authorization} is true. If it is unset, Hadoop's
     * {@code security.service.authorization.default.acl} applies.
     */
    String SERVICE_ACL_KEY = "security.foresight.hint.protocol.acl";
}
