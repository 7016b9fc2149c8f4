/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.core.guard.ReadLimits;
import io.github.foresight.namenode.audit.GrantLog;
import io.github.foresight.namenode.audit.OpenTrail;
import io.github.foresight.namenode.audit.TrailFixture;
import io.github.foresight.namenode.balance.ReplicaBalancer;
import io.github.foresight.namenode.change.Invalidations;
import io.github.foresight.namenode.client.Caller;
import io.github.foresight.namenode.guard.Feature;
import io.github.foresight.namenode.guard.Features;
import io.github.foresight.namenode.layout.LayoutMessages;
import io.github.foresight.namenode.learn.AccessLearner;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.namenode.metrics.ReaderEvents;
import io.github.foresight.namenode.settings.NameNodeSettings;
import io.github.foresight.protocol.conf.NameNodeKeys.Identity;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.PredictedFileProto;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.hdfs.server.namenode.InProcessCluster;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The notes beside HDFS's answers on a real NameNode, when a prediction cannot be granted. */
class PrefetchRepliesTest {

    private static final String READER = "10.0.0.1";
    private static final int FAILURES_MAX = 2;
    private static final long NOW_MILLIS = 5_000_000;
    private static final int TRAIL_BYTES = 100_000;
    private static final int GRANTS_BYTES = 10_000;
    private static final List<String> FILES = List.of("/d/part-00000", "/d/part-00001", "/d/part-00002");

    private static final Map<String, String> SETTINGS = Map.of(
            "foresight.namenode.graph.capacity",
            "4m",
            "foresight.namenode.balance.enabled",
            "false",
            "foresight.namenode.failures.max",
            String.valueOf(FAILURES_MAX));

    private static InProcessCluster cluster;

    private final NameNodeMetrics metrics = new NameNodeMetrics();
    private final NameNodeSettings settings = NameNodeSettings.read(SETTINGS::get);
    private final Features features = new Features(settings, metrics, () -> 0);
    private final Invalidations invalidations = new Invalidations(1000, 1 << 20, 1, System::nanoTime, metrics);
    private final CountDownLatch released = new CountDownLatch(1);
    private int clients;

    /** Resolves the rack of the reader, which HDFS asks for once for each file that it sorts, or fails as is next. */
    public static final class Racks implements DNSToSwitchMapping {
        private static final Queue<Runnable> NEXT = new ConcurrentLinkedQueue<>();

        private static void nothing() {}

        private static void failAsHdfsDoes() {
            throw new AssertionError("as if it were damaged");
        }

        private static void failOtherwise() {
            throw new IllegalStateException("as if it were damaged otherwise");
        }

        @Override
        public List<String> resolve(List<String> names) {
            Runnable next = names.contains(READER) ? NEXT.poll() : null;
            if (next != null) {
                next.run();
            }
            return names.stream().map(name -> NetworkTopology.DEFAULT_RACK).collect(Collectors.toList());
        }

        @Override
        public void reloadCachedMappings() {}

        @Override
        public void reloadCachedMappings(List<String> names) {}
    }

    private static final class NoTopology implements ReplicaBalancer.Topology {
        @Override
        public ToIntFunction<Node> distancesFrom(String readerAddress) {
            throw new UnsupportedOperationException("the order of replicas is off");
        }

        @Override
        public boolean isAvoided(DatanodeInfoWithStorage node) {
            return false;
        }

        @Override
        public boolean isStorageTypeConsidered() {
            return false;
        }

        @Override
        public boolean isLoadConsidered() {
            return false;
        }
    }

    @BeforeAll
    static void start() throws Exception {
        cluster = InProcessCluster.start(Map.of("net.topology.node.switch.mapping.impl", Racks.class.getName()));
        cluster.mkdirs("/d", "755");
        for (String file : FILES) {
            cluster.write(file, "644");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @AfterEach
    void forgetFailures() {
        Racks.NEXT.clear();
    }

    private PrefetchReplies replies(OpenTrail trail, GrantLog grants) throws Exception {
        AccessLearner learner = new AccessLearner(settings, metrics.opens::incr);
        NamespaceReader namespace = new NamespaceReader(
                cluster.nameNode(),
                new ReadLimits(0, 0, 0, 0),
                settings.accessHistory(new Random(1), System.nanoTime()),
                false,
                new ReaderEvents(metrics));
        ReplicaBalancer balancer = new ReplicaBalancer(settings, new NoTopology(), metrics);
        StockClientHints hints = new StockClientHints(
                settings,
                features,
                learner,
                namespace,
                balancer,
                metrics,
                new Configuration(),
                UserGroupInformation.getCurrentUser());
        return new PrefetchReplies(
                settings,
                features,
                learner,
                invalidations,
                namespace,
                balancer,
                new LayoutMessages(features, metrics),
                grants,
                trail,
                hints,
                metrics);
    }

    private static LocatedBlocks layout(String path) throws Exception {
        return cluster.nameNode().getRpcServer().getBlockLocations(path, 0, 1 << 20);
    }

    private static ClientNoteProto.Builder note() {
        return ClientNoteProto.newBuilder().setCacheId(1).setFilesWanted(16).setMaxAgeMillis(10_000);
    }

    private static Caller caller(String user, String client) {
        return Caller.of(user, READER, client, "", EnumSet.of(Identity.CLIENT), Set.of());
    }

    private static List<String> as(String user, PrivilegedExceptionAction<NameNodeNoteProto.Builder> request)
            throws Exception {
        return UserGroupInformation.createUserForTesting(user, new String[] {user})
                .doAs(request)
                .getFilesList()
                .stream()
                .map(PredictedFileProto::getPath)
                .collect(Collectors.toList());
    }

    /** A user lists the directory. */
    private List<String> bundle(PrefetchReplies replies, String user) throws Exception {
        return bundle(replies, user, note());
    }

    private List<String> bundle(PrefetchReplies replies, String user, ClientNoteProto.Builder note) throws Exception {
        return as(
                user,
                () -> replies.listed(caller(user, user), "/d", FILES, note.build(), null, invalidations.position()));
    }

    /** A client that the NameNode has not seen before opens a file. */
    private List<String> prediction(PrefetchReplies replies, String user, String path) throws Exception {
        LocatedBlocks blocks = layout(path);
        Caller caller = caller(user, user + ++clients);
        return as(user, () -> replies.opened(caller, path, blocks, note().build(), null, invalidations.position()));
    }

    @Test
    void opensOfAUserThatFillTheTrail_leaveThatUserWithoutGrants_untilTheyAreWritten() throws Exception {
        TrailFixture slow = new TrailFixture(released);
        try (OpenTrail trail = slow.trail(TRAIL_BYTES, metrics);
                GrantLog grants = new GrantLog(slow, 1 << 20, metrics)) {
            PrefetchReplies replies = replies(trail, grants);
            while (trail.hasRoom("alice")) {
                trail.opened("alice", new OpenTrail.Opener("alice", null, null), new long[10], NOW_MILLIS);
            }
            assertThat(bundle(replies, "alice")).isEmpty();
            assertThat(prediction(replies, "alice", FILES.get(0))).isEmpty();
            assertThat(metrics.refusedUnaudited.value()).isEqualTo(2);
            long notGranted = layout(FILES.get(1)).get(0).getBlock().getBlockId();
            assertThat(bundle(replies, "alice", note().addHits(notGranted))).isEmpty();
            assertThat(metrics.hitsRefused.value()).as("opened without a grant").isEqualTo(1);

            assertThat(bundle(replies, "bob")).isEqualTo(FILES);
            assertThat(prediction(replies, "bob", FILES.get(0))).isEqualTo(FILES.subList(1, 3));

            released.countDown();
            await().until(() -> trail.waitingBytes() == 0);
            assertThat(bundle(replies, "alice")).isEqualTo(FILES);
        }
        assertThat(grantsOf("alice", slow)).isEqualTo(FILES.size());
        assertThat(grantsOf("bob", slow)).isEqualTo(FILES.size() + 2);
    }

    private static long grantsOf(String user, TrailFixture log) {
        return log.lines.stream()
                .filter(line -> line.contains("ugi=" + user + "\t") && !line.contains("\tcmd=open\t"))
                .count();
    }

    @Test
    void grantsOfAUserThatFillTheLog_leaveThatUserWithoutGrants() throws Exception {
        CountDownLatch isWriting = new CountDownLatch(1);
        OpenTrail.Lines stuck = new OpenTrail.Lines() {
            @Override
            public boolean areWanted() {
                return true;
            }

            @Override
            public void write(String line) {
                isWriting.countDown();
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        try (OpenTrail trail = new TrailFixture().trail(TRAIL_BYTES, metrics);
                GrantLog grants = new GrantLog(stuck, GRANTS_BYTES, metrics)) {
            PrefetchReplies replies = replies(trail, grants);
            Caller alice = caller("alice", "alice");
            assertThat(grants.log(alice, "bundle", "/", List.of("/f"))).isTrue();
            isWriting.await();
            int logged = 0;
            while (grants.log(alice, "bundle", "/", List.of("/f"))) {
                logged++;
            }
            assertThat(logged).isPositive();
            assertThat(bundle(replies, "alice")).isEmpty();
            assertThat(metrics.refusedUnaudited.value()).isEqualTo(1);
            assertThat(bundle(replies, "bob")).isEqualTo(FILES);
            released.countDown();
        }
    }

    /** Answers with room for all that is granted. */
    private void withRoom(Requests requests) throws Exception {
        TrailFixture log = new TrailFixture();
        try (OpenTrail trail = log.trail(1 << 20, metrics);
                GrantLog grants = new GrantLog(log, 1 << 20, metrics)) {
            requests.make(replies(trail, grants));
        }
    }

    @FunctionalInterface
    private interface Requests {
        void make(PrefetchReplies replies) throws Exception;
    }

    @Test
    void fileThatCannotBeDescribed_isLeftOutAlone() throws Exception {
        withRoom(replies -> {
            Racks.NEXT.addAll(List.of(Racks::nothing, Racks::failAsHdfsDoes));
            assertThat(bundle(replies, "alice")).containsExactly(FILES.get(0), FILES.get(2));
            Racks.NEXT.add(Racks::failAsHdfsDoes);
            assertThat(prediction(replies, "alice", FILES.get(0))).containsExactly(FILES.get(2));
        });
        assertThat(metrics.failedFiles.value()).isEqualTo(2);
        assertThat(metrics.internalErrors.value()).isEqualTo(2);
    }

    @Test
    void filesThatCannotBeDescribed_countForTheirFeature_byTheirCause() throws Exception {
        withRoom(replies -> {
            for (int i = 0; i < FAILURES_MAX; i++) {
                Racks.NEXT.addAll(List.of(Racks::failAsHdfsDoes, Racks::failOtherwise));
                assertThat(bundle(replies, "alice")).containsExactly(FILES.get(2));
            }
            assertThat(resting()).as("no cause has come too often").isEmpty();
            Racks.NEXT.add(Racks::failOtherwise);
            assertThat(bundle(replies, "alice")).isEqualTo(FILES.subList(1, 3));
            assertThat(resting()).containsExactly(Feature.BUNDLE);

            for (int i = 0; i < FAILURES_MAX; i++) {
                Racks.NEXT.add(Racks::failOtherwise);
                assertThat(prediction(replies, "alice", FILES.get(0))).containsExactly(FILES.get(2));
            }
            assertThat(resting())
                    .as("the bundle's failures are no other feature's")
                    .containsExactly(Feature.BUNDLE);
            Racks.NEXT.add(Racks::failOtherwise);
            assertThat(prediction(replies, "alice", FILES.get(0))).containsExactly(FILES.get(2));
            assertThat(resting()).containsExactly(Feature.PREFETCH, Feature.BUNDLE);
            assertThat(prediction(replies, "alice", FILES.get(0))).as("rests").isEmpty();
        });
    }

    private List<Feature> resting() {
        List<Feature> resting = new ArrayList<>();
        for (Feature feature : Feature.values()) {
            if (features.isResting(feature)) {
                resting.add(feature);
            }
        }
        return resting;
    }

    @Test
    void siblingsThatAreSymbolicLinks_areLeftOut_andAreNoFailures() throws Exception {
        cluster.mkdirs("/s", "755");
        for (String file : List.of("/s/part-00000", "/s/part-00002", "/s/target")) {
            cluster.write(file, "644");
        }
        FileSystem.enableSymlinks();
        cluster.fs().createSymlink(new Path("/s/target"), new Path("/s/part-00001"), false);
        cluster.fs().createSymlink(new Path("/s/nothing"), new Path("/s/part-00003"), false);
        withRoom(replies ->
                assertThat(prediction(replies, "alice", "/s/part-00000")).containsExactly("/s/part-00002"));
        assertThat(metrics.refusedUnknown.value()).isGreaterThanOrEqualTo(2);
        assertThat(metrics.failedFiles.value()).isZero();
        assertThat(metrics.internalErrors.value()).isZero();
    }

    private NameNodeNoteProto status(PrefetchReplies replies, String user, String path, ClientNoteProto.Builder note)
            throws Exception {
        return UserGroupInformation.createUserForTesting(user, new String[] {user})
                .doAs((PrivilegedExceptionAction<NameNodeNoteProto>)
                        () -> replies.stated(caller(user, user), path, note.build(), null, invalidations.position())
                                .build());
    }

    @Test
    void status_bringsTheFilesLayout_andWhatFollows() throws Exception {
        withRoom(replies -> {
            NameNodeNoteProto note = status(replies, "alice", FILES.get(0), note().setStatusWanted(true));
            assertThat(note.getStated().getPath()).isEqualTo(FILES.get(0));
            LocatedBlocksProto layout =
                    LocatedBlocksProto.parseFrom(note.getStated().getLocations());
            assertThat(layout.getBlocks(0).getB().getBlockId()).isEqualTo(firstBlock(FILES.get(0)));
            assertThat(HdfsFileStatusProto.parseFrom(note.getStated().getStatus())
                            .getLength())
                    .isEqualTo(layout.getFileLength());
            assertThat(note.getFilesList().stream().map(PredictedFileProto::getPath))
                    .isEqualTo(FILES.subList(1, 3));
        });
        assertThat(metrics.stated.value()).isEqualTo(1);
        assertThat(metrics.opens.value()).as("the open is learned").isEqualTo(1);
    }

    private static long firstBlock(String path) throws Exception {
        return layout(path).get(0).getBlock().getBlockId();
    }

    @Test
    void openAfterItsStatus_isInTheTrail_andNotLearnedAgain() throws Exception {
        TrailFixture log = new TrailFixture();
        long file = firstBlock(FILES.get(0));
        try (OpenTrail trail = log.trail(1 << 20, metrics);
                GrantLog grants = new GrantLog(log, 1 << 20, metrics)) {
            PrefetchReplies replies = replies(trail, grants);
            status(replies, "alice", FILES.get(0), note());
            status(replies, "alice", FILES.get(1), note().addStatedHits(file).addStatedHits(4711));
        }
        assertThat(metrics.hits.value()).isEqualTo(1);
        assertThat(metrics.hitsRefused.value())
                .as("of a file that was never granted")
                .isEqualTo(1);
        assertThat(log.lines.stream().filter(line -> line.contains("\tcmd=open\t")))
                .hasSize(1);
    }

    @Test
    void statusOfAFileThatTheCallerMayNotRead_bringsNothing() throws Exception {
        cluster.mkdirs("/secret", "755");
        cluster.write("/secret/f", "600");
        withRoom(replies -> {
            NameNodeNoteProto note = status(replies, "alice", "/secret/f", note());
            assertThat(note.hasStated()).isFalse();
            assertThat(note.getFilesList()).isEmpty();
        });
        assertThat(metrics.opens.value()).as("nothing is learned").isZero();
    }

    @Test
    void statusInADirectoryThatTheCallerMayNotList_bringsTheLayout() throws Exception {
        cluster.mkdirs("/unlisted", "711");
        cluster.write("/unlisted/f", "644");
        withRoom(replies -> assertThat(
                        status(replies, "alice", "/unlisted/f", note()).hasStated())
                .isTrue());
    }

    /** The answer would tell the plain path. */
    @Test
    void statusByAnInodesId_bringsNothing() throws Exception {
        long inode = cluster.nameNode().getRpcServer().getFileInfo(FILES.get(0)).getFileId();
        withRoom(replies -> assertThat(status(replies, "alice", "/.reserved/.inodes/" + inode, note())
                        .hasStated())
                .isFalse());
    }
}
