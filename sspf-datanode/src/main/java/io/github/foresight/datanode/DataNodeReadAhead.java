/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode;

import io.github.foresight.datanode.guard.OwnThreads;
import io.github.foresight.datanode.hint.BlockTokenCheck;
import io.github.foresight.datanode.hint.HintService;
import io.github.foresight.datanode.lane.PinAdvice;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.pagecache.ResidentFile;
import io.github.foresight.datanode.prefetch.BlockReadAhead;
import io.github.foresight.datanode.replica.BlockFiles;
import io.github.foresight.datanode.replica.ChecksumSource;
import io.github.foresight.datanode.settings.DataNodeSettings;
import io.github.foresight.protocol.conf.DataNodeKeys;
import io.github.foresight.protocol.hint.HintProtocolPB;
import io.github.foresight.protocol.proto.HintProtos.HintProtocolService;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.ipc.CallerConnection;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A DataNode's read-ahead with all its parts: started with the data set, closed with it. Thread-safe. */
public final class DataNodeReadAhead implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(DataNodeReadAhead.class);

    private final BlockReadAhead blocks;

    private DataNodeReadAhead(BlockReadAhead blocks) {
        this.blocks = blocks;
    }

    /**
     * Starts the read-ahead and adds the hint protocol to the DataNode's IPC server.
     *
     * @param volumesInService the volumes in service
     * @param checksums which blocks' checksum files need not be prefetched
     * @param metrics the counters of the read-ahead
     */
    public static DataNodeReadAhead start(
            DataNode datanode,
            Configuration conf,
            DataNodeSettings settings,
            BlockFiles.Finder finder,
            Supplier<Set<FsVolumeSpi>> volumesInService,
            ChecksumSource checksums,
            ReadAheadMetrics metrics)
            throws IOException {
        new OwnThreads("foresight-classes", metrics).newThread(new OwnClasses()).start();
        BlockReadAhead blocks = new BlockReadAhead(settings, finder, volumesInService, checksums, metrics);
        HintService hints = new HintService(
                settings,
                blocks,
                new BlockTokenCheck(datanode.getBlockPoolTokenSecretManager(), pool -> isWithoutTokens(datanode, pool)),
                metrics);
        serve(datanode.ipcServer, conf, hints);
        blocks.followConnections(CallerConnection.openTo(datanode.ipcServer));
        if (settings.get(DataNodeKeys.CACHE_PIN) && ResidentFile.nativeUnavailableReason() != null) {
            PinAdvice.logOnce(ResidentFile.nativeUnavailableReason());
        }
        long together = settings.capacityBytes() + settings.windowCapacityBytes();
        LOG.info("Foresight reads ahead with up to {} bytes of memory, windows included", together);
        if (together > settings.memory().usableBytes()) {
            LOG.warn(
                    "Foresight may lock {} bytes; this DataNode has {} bytes of memory, {} of them outside its heap",
                    together,
                    settings.memory().machineBytes(),
                    settings.memory().usableBytes());
        }
        return new DataNodeReadAhead(blocks);
    }

    public BlockReadAhead blocks() {
        return blocks;
    }

    @Override
    public void close() {
        blocks.close();
    }

    private static void serve(RPC.Server server, Configuration conf, HintService hints) {
        RPC.setProtocolEngine(conf, HintProtocolPB.class, ProtobufRpcEngine2.class);
        server.addProtocol(
                RPC.RpcKind.RPC_PROTOCOL_BUFFER,
                HintProtocolPB.class,
                HintProtocolService.newReflectiveBlockingService(hints));
        if (conf.getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false)) {
            server.refreshServiceAcl(conf, new HdfsAndHintServices());
        }
    }

    /** Without our service beside HDFS's, an authorizing server refuses the protocol as unknown. */
    private static final class HdfsAndHintServices extends PolicyProvider {
        @Override
        public Service[] getServices() {
            Service[] hdfs = new HDFSPolicyProvider().getServices();
            Service[] all = Arrays.copyOf(hdfs, hdfs.length + 1);
            all[hdfs.length] = new Service(HintProtocolPB.SERVICE_ACL_KEY, HintProtocolPB.class);
            return all;
        }
    }

    /** False as long as the NameNode has not said so: the token keys of a pool come with its registration, a moment after its blocks. */
    private static boolean isWithoutTokens(DataNode datanode, String blockPool) {
        try {
            ExportedBlockKeys keys = datanode.getDNRegistrationForBP(blockPool).getExportedKeys();
            return keys != null && !keys.isBlockTokenEnabled();
        } catch (IOException e) {
            LOG.debug("Block pool {} is not registered with its NameNode yet", blockPool, e);
            return false;
        }
    }
}
