/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.datatransfer.TrustedChannelResolver;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.DataTransferSaslUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.SaslDataTransferClient;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.balancer.KeyManager;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;

/**
 * Moves one replica with the Balancer's protocol. The target fetches the block from a node with a replica, and reports to the NameNode that
 * the replica of the source is surplus. The number of replicas never falls. Thread-safe.
 */
final class BlockMover implements Closeable {

    private static final int CONNECT_MILLIS = 60_000;

    /** A DataNode that transfers a block reports it every half minute. */
    private static final int ANSWER_MILLIS = 5 * 60_000;

    private static final int BUFFER = 4096;

    private final KeyManager keys;
    private final SaslDataTransferClient sasl;
    private final boolean byHostName;

    BlockMover(DistributedFileSystem fs, Configuration conf) throws IOException {
        NamenodeProtocol nameNode = NameNodeProxies.createProxy(conf, fs.getUri(), NamenodeProtocol.class)
                .getProxy();
        this.keys = new KeyManager(
                nameNode.versionRequest().getBlockPoolID(),
                nameNode,
                fs.getServerDefaults().getEncryptDataTransfer(),
                conf);
        keys.startBlockKeyUpdater();
        this.sasl = new SaslDataTransferClient(
                conf,
                DataTransferSaslUtil.getSaslPropertiesResolver(conf),
                TrustedChannelResolver.getInstance(conf),
                new AtomicBoolean());
        this.byHostName = conf.getBoolean(
                HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
                HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
    }

    /**
     * Moves a replica, and returns when the target has it.
     *
     * @throws IOException if the move fails, or if the target had the replica before
     */
    void move(BlockMove move) throws IOException {
        try (Socket socket = new Socket()) {
            NetUtils.connect(socket, NetUtils.createSocketAddr(move.target.getXferAddr(byHostName)), CONNECT_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.setKeepAlive(true);
            Token<BlockTokenIdentifier> token =
                    keys.getAccessToken(move.block, new StorageType[] {move.type}, new String[0]);
            IOStreamPair streams = sasl.socketSend(
                    socket, socket.getOutputStream(), socket.getInputStream(), keys, token, move.target);
            try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(streams.out, BUFFER));
                    DataInputStream in = new DataInputStream(new BufferedInputStream(streams.in, BUFFER))) {
                new Sender(out)
                        .replaceBlock(move.block, move.type, token, move.source.getDatanodeUuid(), move.sender, null);
                DataTransferProtoUtil.checkBlockOpStatus(answer(in), "moving " + move);
            }
        }
    }

    private static BlockOpResponseProto answer(InputStream in) throws IOException {
        BlockOpResponseProto answer = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
        while (answer.getStatus() == Status.IN_PROGRESS) {
            answer = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
        }
        return answer;
    }

    @Override
    public void close() {
        keys.close();
    }
}
