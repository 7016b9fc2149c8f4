/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.BlockSequences.Placed;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.protocol.conf.ClientKeys;
import io.github.foresight.protocol.hint.HintProtocolPB;
import io.github.foresight.protocol.proto.HintProtos.BlockTokenProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import io.github.foresight.protocol.proto.HintProtos.RefusalProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends hints to DataNodes, off the reader's path: a bounded queue, a few daemon threads that end when idle, and a pause for
 * each DataNode that does not answer. Nothing here can fail or delay a read. Thread-safe.
 */
final class HintSender implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(HintSender.class);
    private static final long CLIENT_ID = new SecureRandom().nextLong();
    private static final int MAX_CONNECTIONS = 1024;
    private static final Duration CONNECTION_IDLE = Duration.ofMinutes(2);
    private static final long THREAD_IDLE_SECONDS = 10;
    private static final long FIRST_PAUSE_MILLIS = 1000;

    /** Takes what a DataNode says of a session. */
    @FunctionalInterface
    interface ProgressListener {
        ProgressListener NOBODY = (bytesRead, openStreams) -> {};

        void progressed(long bytesRead, int openStreams);
    }

    private final ClientSettings settings;
    private final Configuration rpcConf;
    private final UserGroupInformation ugi;
    private final ClientMetrics metrics = ClientMetrics.INSTANCE;
    private final ThreadPoolExecutor workers;
    private final ScheduledThreadPoolExecutor timer;
    private final Cache<InetSocketAddress, HintProtocolPB> connections;
    private final Cache<InetSocketAddress, Pause> pauses;

    HintSender(ClientSettings settings, Configuration conf, UserGroupInformation ugi) {
        this.settings = settings;
        this.ugi = ugi;
        this.rpcConf = impatient(conf, settings);
        ThreadFactory daemons = new ThreadFactoryBuilder()
                .setDaemon(true)
                .setNameFormat("foresight-hints-%d")
                .build();
        int threads = settings.get(ClientKeys.HINT_THREADS);
        this.workers = new ThreadPoolExecutor(
                threads,
                threads,
                THREAD_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(settings.get(ClientKeys.HINT_QUEUE_MAX)),
                daemons);
        this.workers.allowCoreThreadTimeOut(true);
        this.timer = new ScheduledThreadPoolExecutor(1, daemons);
        this.timer.setKeepAliveTime(THREAD_IDLE_SECONDS, TimeUnit.SECONDS);
        this.timer.allowCoreThreadTimeOut(true);
        this.connections = Caffeine.newBuilder()
                .maximumSize(MAX_CONNECTIONS)
                .expireAfterAccess(CONNECTION_IDLE)
                .executor(Runnable::run)
                .removalListener(HintSender::disconnect)
                .build();
        this.pauses = Caffeine.newBuilder()
                .maximumSize(MAX_CONNECTIONS)
                .expireAfterWrite(settings.get(ClientKeys.HINT_BACKOFF).multipliedBy(2))
                .executor(Runnable::run)
                .build();
    }

    private static void disconnect(
            @Nullable InetSocketAddress address, @Nullable HintProtocolPB proxy, RemovalCause cause) {
        if (proxy != null) {
            RPC.stopProxy(proxy);
        }
    }

    /** A hint that is late is worth nothing: no retries, short time-outs. */
    private static Configuration impatient(Configuration conf, ClientSettings settings) {
        Configuration copy = new Configuration(conf);
        int millis = Math.toIntExact(settings.get(ClientKeys.HINT_TIMEOUT).toMillis());
        copy.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
        copy.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
        copy.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, millis);
        RPC.setProtocolEngine(copy, HintProtocolPB.class, ProtobufRpcEngine2.class);
        return copy;
    }

    ClientMetrics metrics() {
        return metrics;
    }

    /**
     * Sends a DataNode its sequence of a file.
     *
     * @param target one of the sequence's equal targets
     * @param answered told once the DataNode has taken the hint
     */
    void hint(
            long fileId,
            String clientName,
            HintTarget target,
            List<Placed<HintTarget>> sequence,
            boolean sequential,
            ProgressListener answered) {
        HintRequestProto.Builder request = request(OpType.HINT, fileId)
                .setBlockPoolId(sequence.get(0).block().key().blockPool())
                .setBlockNum(sequence.size())
                .setClientName(clientName)
                .setSequential(sequential);
        for (Placed<HintTarget> placed : sequence) {
            request.addBlocks(record(placed.block(), placed.node().token()));
        }
        enqueue(() -> send(target, request.build(), answered));
    }

    /**
     * Has the first blocks of files made resident, each by the first DataNode that holds it, for whoever reads them from this host.
     * Erasure-coded files are left alone.
     */
    void warm(List<LocatedBlocks> layouts) {
        Map<HintTarget, HintRequestProto.Builder> requests = new HashMap<>();
        for (LocatedBlocks layout : layouts) {
            LocatedBlock first = layout.get(0);
            if (layout.getErasureCodingPolicy() == null
                    && first.getLocations().length > 0
                    && first.getBlockSize() > 0) {
                HintTarget target = new HintTarget(first.getLocations()[0], first.getBlockToken());
                HintedBlock block = new HintedBlock(
                        new BlockKey(
                                first.getBlock().getBlockPoolId(),
                                first.getBlock().getBlockId()),
                        first.getBlock().getGenerationStamp(),
                        0,
                        first.getBlockSize());
                requests.computeIfAbsent(target, unused -> request(
                                        OpType.WARM, ThreadLocalRandom.current().nextLong())
                                .setBlockPoolId(block.key().blockPool()))
                        .addBlocks(record(block, target.token()));
            }
        }
        requests.forEach((target, request) -> {
            HintRequestProto whole =
                    request.setBlockNum(request.getBlocksCount()).build();
            if (enqueue(() -> send(target, whole, ProgressListener.NOBODY))) {
                metrics.filesWarmed.incr(whole.getBlocksCount());
            }
        });
    }

    void release(long fileId, HintTarget target) {
        enqueue(() -> send(target, request(OpType.RELEASE, fileId).build(), ProgressListener.NOBODY));
    }

    /** Asks, after a while, how far a session has come; silence if the DataNode does not answer. */
    void askProgress(long fileId, HintTarget target, long delayMillis, ProgressListener listener) {
        HintRequestProto request = request(OpType.PROGRESS, fileId).build();
        try {
            var unused = timer.schedule(
                    () -> enqueue(() -> send(target, request, listener)), delayMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            metrics.hintsDropped.incr();
        }
    }

    /** Runs something on a sender thread; false if too much waits already. */
    boolean enqueue(Runnable task) {
        try {
            workers.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            metrics.hintsDropped.incr();
            return false;
        }
    }

    private static HintRequestProto.Builder request(OpType type, long fileId) {
        return HintRequestProto.newBuilder()
                .setOpType(type)
                .setClientId(CLIENT_ID)
                .setFileId(fileId);
    }

    private static HintedBlockProto record(HintedBlock block, Token<BlockTokenIdentifier> token) {
        HintedBlockProto.Builder record = HintedBlockProto.newBuilder()
                .setBlockId(block.key().blockId())
                .setGenerationStamp(block.generationStamp())
                .setOffset(block.fileOffset())
                .setLength(block.lengthBytes());
        if (token.getIdentifier().length > 0) {
            record.setToken(BlockTokenProto.newBuilder()
                    .setIdentifier(ByteString.copyFrom(token.getIdentifier()))
                    .setPassword(ByteString.copyFrom(token.getPassword()))
                    .setKind(token.getKind().toString())
                    .setService(token.getService().toString()));
        }
        return record.build();
    }

    private void send(HintTarget target, HintRequestProto request, ProgressListener listener) {
        InetSocketAddress address = NetUtils.createSocketAddr(target.node().getIpcAddr(settings.connectsByHostname()));
        long begin = System.nanoTime();
        Pause pause = pauses.getIfPresent(address);
        if (pause != null && begin - pause.untilNanos < 0) {
            return;
        }
        try {
            HintResponseProto response = call(address, target, request);
            metrics.hintMillis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
            metrics.hintsSent.incr();
            pauses.invalidate(address);
            metrics.blocksAccepted.incr(response.getAccepted());
            for (RefusalProto refusal : response.getRefusalsList()) {
                metrics.blocksRefused.incr(refusal.getCount());
                LOG.debug("{} refused {} of a hint: {}", address, refusal.getCount(), refusal.getReason());
            }
            LOG.debug(
                    "{} to {}: {} accepted, {} bytes read, {} streams open",
                    request.getOpType(),
                    address,
                    response.getAccepted(),
                    response.getBytesRead(),
                    response.getOpenStreams());
            listener.progressed(response.getBytesRead(), response.getOpenStreams());
        } catch (ServiceException | IOException e) {
            metrics.hintErrors.incr();
            connections.invalidate(address);
            Pause next = pauseAfter(e, pause, System.nanoTime());
            pauses.put(address, next);
            LOG.debug("{} did not take a hint and is left alone for {} ms", address, next.millis, e);
        } catch (RuntimeException | LinkageError e) {
            metrics.internalErrors.incr();
            LOG.debug("A hint to {} failed", address, e);
        }
    }

    /** A DataNode that does not know hints is left alone at once for long; one that is merely slow, longer each time. */
    private Pause pauseAfter(Exception error, @Nullable Pause last, long nowNanos) {
        long longest = settings.get(ClientKeys.HINT_BACKOFF).toMillis();
        boolean knowsNoHints = error.getCause() instanceof RemoteException;
        if (knowsNoHints) {
            metrics.nodesWithout.incr();
        }
        long millis = knowsNoHints ? longest : last == null ? FIRST_PAUSE_MILLIS : 2 * last.millis;
        return new Pause(Math.min(millis, longest), nowNanos);
    }

    /** How long a DataNode is left alone. */
    private static final class Pause {
        final long millis;
        final long untilNanos;

        Pause(long millis, long nowNanos) {
            this.millis = millis;
            this.untilNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(millis);
        }
    }

    private HintResponseProto call(InetSocketAddress address, HintTarget target, HintRequestProto request)
            throws ServiceException, IOException {
        if (target.token().getIdentifier().length > 0 && UserGroupInformation.isSecurityEnabled()) {
            return callWithBlockToken(address, target, request);
        }
        HintProtocolPB proxy = connections.getIfPresent(address);
        if (proxy == null) {
            HintProtocolPB created = connect(address, ugi);
            proxy = connections.get(address, unused -> created);
            if (proxy != created) {
                RPC.stopProxy(created);
            }
        }
        return proxy.hint(null, request);
    }

    /** In a secure cluster a task has no Kerberos ticket for the DataNode; its block token authenticates it. */
    private HintResponseProto callWithBlockToken(InetSocketAddress address, HintTarget target, HintRequestProto request)
            throws ServiceException, IOException {
        UserGroupInformation holder = UserGroupInformation.createRemoteUser(ugi.getUserName());
        holder.addToken(target.token());
        HintProtocolPB proxy = connect(address, holder);
        try {
            return proxy.hint(null, request);
        } finally {
            RPC.stopProxy(proxy);
        }
    }

    private HintProtocolPB connect(InetSocketAddress address, UserGroupInformation user) throws IOException {
        return RPC.getProxy(
                HintProtocolPB.class,
                HintProtocolPB.PROTOCOL_VERSION,
                address,
                user,
                rpcConf,
                NetUtils.getDefaultSocketFactory(rpcConf),
                Math.toIntExact(settings.get(ClientKeys.HINT_TIMEOUT).toMillis()));
    }

    @Override
    public void close() {
        timer.shutdownNow();
        workers.shutdownNow();
        connections.invalidateAll();
    }
}
