/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.prefetch;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.github.foresight.core.graph.PrefetchGroup;
import io.github.foresight.core.graph.Usefulness;
import io.github.foresight.namenode.balance.ReplicaBalancer;
import io.github.foresight.namenode.client.Caller;
import io.github.foresight.namenode.client.ClientSession;
import io.github.foresight.namenode.client.UsefulnessByUser;
import io.github.foresight.namenode.guard.Feature;
import io.github.foresight.namenode.guard.Features;
import io.github.foresight.namenode.learn.AccessLearner;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.namenode.settings.NameNodeSettings;
import io.github.foresight.protocol.conf.NameNodeKeys;
import io.github.foresight.protocol.hint.HintConnections;
import io.github.foresight.protocol.hint.HintRequests;
import io.github.foresight.protocol.hint.HintTarget;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import java.io.Closeable;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.ReadableFile;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.Wanted;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Predicts for stock clients (Nexus's prediction for SSPF's prefetching). It hints the first blocks of predicted files to their
 * DataNodes. When the client opens such a file, the prefetched replica comes first in the layout, unless HDFS prefers another one.
 *
 * <p>Thread-safe. A handler only predicts, reads the files as the caller, and queues the hints. Hints that do not fit into the
 * queue are dropped and counted.
 */
public final class StockClientHints implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(StockClientHints.class);

    private static final int THREADS = 4;
    private static final int QUEUE_MAX = 1000;
    private static final long THREAD_IDLE_SECONDS = 10;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration BACKOFF = Duration.ofMinutes(5);

    private final NameNodeSettings settings;
    private final Features features;
    private final AccessLearner learner;
    private final NamespaceReader namespace;
    private final ReplicaBalancer balancer;
    private final NameNodeMetrics metrics;
    private final UsefulnessByUser usefulness;
    private final HintConnections connections;
    private final long senderId = new SecureRandom().nextLong();
    private final ThreadPoolExecutor senders;

    /**
     * Begins without threads and connections.
     *
     * @param ugi the identity of the NameNode towards DataNodes
     */
    public StockClientHints(
            NameNodeSettings settings,
            Features features,
            AccessLearner learner,
            NamespaceReader namespace,
            ReplicaBalancer balancer,
            NameNodeMetrics metrics,
            Configuration conf,
            UserGroupInformation ugi) {
        this.settings = settings;
        this.features = features;
        this.learner = learner;
        this.namespace = namespace;
        this.balancer = balancer;
        this.metrics = metrics;
        this.usefulness = new UsefulnessByUser(settings);
        this.connections = new HintConnections(conf, ugi, TIMEOUT, BACKOFF);
        this.senders = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                THREAD_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(QUEUE_MAX),
                new ThreadFactoryBuilder()
                        .setDaemon(true)
                        .setNameFormat("foresight-hints-%d")
                        .build());
        senders.allowCoreThreadTimeOut(true);
    }

    /**
     * A client has opened a file.
     *
     * @param file by its first block's id
     * @param blocks the answer, whose replicas' order may be changed
     */
    void opened(Caller caller, ClientSession session, long file, LocatedBlocks blocks, long nowNanos)
            throws IOException {
        Usefulness useful = usefulness.of(caller);
        String ready = session.openedExpected(file, useful);
        if (ready != null) {
            metrics.stockUsed.incr();
            balancer.prefer(blocks.get(0), ready, caller.address());
        }
        PrefetchGroup group = new PrefetchGroup(settings.get(NameNodeKeys.HINT_FILES));
        learner.record(session, file, nowNanos, useful, group);
        List<Wanted> likely = chosen(session, group, useful);
        if (likely.isEmpty() || !namespace.isServing()) {
            return;
        }
        List<Wanted> wanted = likely.subList(0, namespace.filesAtPriority(likely.size()));
        if (wanted.isEmpty()) {
            return;
        }
        List<ReadableFile> files = new ArrayList<>(wanted.size());
        namespace.read(wanted, 1, false, new FoundFiles(Feature.HINT, files::add, features, metrics));
        List<LocatedBlocks> layouts = new ArrayList<>(files.size());
        for (ReadableFile readable : files) {
            LocatedBlocks layout = readable.blocks();
            namespace.sort(caller.address(), layout);
            layouts.add(layout);
            session.expect(
                    layout.get(0).getBlock().getBlockId(),
                    readable.wanted().confidenceClass(),
                    layout.get(0).getLocations()[0].getDatanodeUuid(),
                    useful);
        }
        HintRequests.warm(layouts, senderId)
                .forEach((target, request) ->
                        queue(target, request.setReaderAddress(caller.address()).build()));
    }

    private List<Wanted> chosen(ClientSession session, PrefetchGroup group, Usefulness useful) {
        List<Wanted> wanted = new ArrayList<>(group.size());
        int most = session.allowance();
        for (int rank = 0; rank < group.size() && wanted.size() < most; rank++) {
            long file = session.file(group.file(rank));
            int confidenceClass = Usefulness.classOf(group.confidence(rank));
            if (!session.isExpected(file) && useful.admit(confidenceClass)) {
                wanted.add(Wanted.unnamed(file, confidenceClass));
            }
        }
        return wanted;
    }

    private void queue(HintTarget target, HintRequestProto request) {
        try {
            senders.execute(() -> send(target, request));
            metrics.stockHinted.incr(request.getBlocksCount());
        } catch (RejectedExecutionException e) {
            metrics.stockDropped.incr(request.getBlocksCount());
        }
    }

    /** As the NameNode itself; the blocks' tokens are the reader's. */
    private void send(HintTarget target, HintRequestProto request) {
        try {
            HintResponseProto response = connections.send(new HintTarget(target.node(), new Token<>()), request);
            metrics.stockAccepted.incr(response == null ? 0 : response.getAccepted());
        } catch (HintConnections.NotTakenException e) {
            metrics.stockErrors.incr();
            LOG.debug("{}", e.getMessage(), e);
        } catch (RuntimeException | LinkageError e) {
            metrics.internalErrors.incr();
            LOG.debug("A hint to {} failed", target, e);
        }
    }

    @Override
    public void close() {
        senders.shutdownNow();
        connections.close();
    }
}
