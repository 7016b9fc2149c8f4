/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.foresight.cluster.ProcessCluster;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Predictions under HDFS's own fair call queue. The queue's scheduler lowers the priority of users whose calls hold the namesystem's lock for a long
 * time. The NameNode has one handler, so that calls wait.
 */
final class FairCallQueueIT {

    /** The number of files in the heavy users' directory; the next constant is for the light user's directory. */
    private static final int MANY = 16;

    private static final int FEW = 4;

    /** The lowest priority. The scheduler's default levels are 0 to 3. A user with half of the total cost is at level 3. */
    private static final int LOWEST = 3;

    private static final int CALLERS = 16;
    private static final int LIGHT_CALLS = 40;
    private static final long LIGHT_PAUSE_MILLIS = 50;
    private static final int CALLS_COMPARED = 50;

    /** Longer than the metrics' period of one second. */
    private static final long METRICS_LAG_MILLIS = 2500;

    private static TestCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        String rpc = "ipc." + ProcessCluster.RPC_PORT + ".";
        Map<String, String> conf = new HashMap<>();
        conf.put("dfs.namenode.handler.count", "1");
        conf.put(rpc + "callqueue.impl", "org.apache.hadoop.ipc.FairCallQueue");
        conf.put(rpc + "scheduler.impl", "org.apache.hadoop.ipc.DecayRpcScheduler");
        conf.put(rpc + "decay-scheduler.period-ms", "500");
        conf.put(rpc + "cost-provider.impl", "org.apache.hadoop.ipc.WeightedTimeCostProvider");
        for (String withoutLock : List.of("lockfree", "response", "handler")) {
            conf.put(rpc + "weighted-cost." + withoutLock, "0");
        }
        conf.put("foresight.namenode.priority.levels", String.valueOf(LOWEST));
        cluster = TestCluster.start("fair-call-queue", 1, conf, Map.of(), Map.of("dfs.replication", "1"));
        try (DistributedFileSystem root = cluster.stockClient()) {
            write(root, "/many", MANY);
            write(root, "/few", FEW);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    private static void write(DistributedFileSystem fs, String folder, int files) throws IOException {
        for (int i = 0; i < files; i++) {
            try (FSDataOutputStream out = fs.create(new Path(folder, "f" + i))) {
                out.write(i);
            }
        }
    }

    private static NameNodeTalk as(String user) throws Exception {
        return NameNodeTalk.as(UserGroupInformation.createUserForTesting(user, new String[] {user}), cluster);
    }

    /** Lists a folder, and returns the number of predicted files in the listing's reply. */
    private static int list(NameNodeTalk talk, String folder, int filesWanted) throws Exception {
        ClientNoteProto.Builder note = NameNodeTalk.greeting().setFilesWanted(filesWanted);
        return talk.list(folder, note).getFilesCount();
    }

    /** Returns an attribute of HDFS's scheduler or call queue from JMX. */
    private static JsonNode ofRpcServer(String name, String attribute) throws IOException {
        int port = URI.create(cluster.processes().uri()).getPort();
        var value = cluster.processes()
                .nameNode()
                .bean("Hadoop:service=ipc." + port + ",name=" + name)
                .path(attribute);
        assertThat(value.isMissingNode()).as(name + "." + attribute).isFalse();
        return new ObjectMapper().readTree(value.isTextual() ? value.asText() : value.toString());
    }

    /** Returns a user's priority; 0 is the highest. A user without cost has priority 0. */
    private static int priority(String user) throws IOException {
        return ofRpcServer("DecayRpcScheduler", "SchedulingDecisionSummary")
                .path(user)
                .asInt(0);
    }

    private static long cost(String user) throws IOException {
        return ofRpcServer("DecayRpcScheduler", "CallVolumeSummary").path(user).asLong();
    }

    @Test
    void user_isChargedForItsPredictions_andPutBehindAUserWithAsManyCalls() throws Exception {
        try (NameNodeTalk predicting = as("predicting");
                NameNodeTalk plain = as("plain")) {
            eventually(() -> {
                for (int i = 0; i < CALLS_COMPARED; i++) {
                    list(predicting, "/many", MANY);
                    list(plain, "/many", 0);
                }
                assertThat(cost("plain")).isPositive();
                assertThat(cost("predicting")).isGreaterThan(cost("plain") * 3 / 2);
                assertThat(priority("predicting")).isEqualTo(LOWEST);
                assertThat(priority("plain")).isLessThan(LOWEST);
            });
        }
    }

    /** The load of the heavy user: several threads make calls one after another until this object is closed. */
    private static final class HeavyUser implements AutoCloseable {
        private final AtomicBoolean isClosed = new AtomicBoolean();
        private final AtomicIntegerArray replies = new AtomicIntegerArray(MANY + 1);
        private final ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        private final List<Future<?>> callers = new ArrayList<>();

        HeavyUser() {
            for (int i = 0; i < CALLERS; i++) {
                callers.add(threads.submit(this::call));
            }
        }

        private Void call() throws Exception {
            try (NameNodeTalk talk = as("heavy")) {
                while (!isClosed.get()) {
                    replies.incrementAndGet(list(talk, "/many", MANY));
                }
            }
            return null;
        }

        /** Returns the number of replies with exactly this many predicted files. */
        int replies(int files) {
            return replies.get(files);
        }

        /** Returns the number of all replies. */
        int replies() {
            int sum = 0;
            for (int files = 0; files <= MANY; files++) {
                sum += replies(files);
            }
            return sum;
        }

        @Override
        public void close() throws IOException {
            isClosed.set(true);
            threads.shutdown();
            try {
                for (Future<?> caller : callers) {
                    caller.get();
                }
            } catch (ExecutionException e) {
                throw new IOException("a call of the heavy user failed", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void heavyUser_getsFewerPredictionsWhileCallsWait_andTheLightUserAllOfThem() throws Exception {
        long limitedBefore = settledLimitedReplies();
        HeavyUser heavy = new HeavyUser();
        int waitedAtLowest = 0;
        int lightPriority = 0;
        List<Integer> lightReplies = new ArrayList<>();
        try (heavy;
                NameNodeTalk light = as("light")) {
            eventually(() -> assertThat(priority("heavy")).isEqualTo(LOWEST));
            int heavyBefore = heavy.replies();
            for (int i = 0; i < LIGHT_CALLS; i++) {
                lightReplies.add(list(light, "/few", FEW));
                lightPriority = Math.max(lightPriority, priority("light"));
                waitedAtLowest = Math.max(
                        waitedAtLowest,
                        ofRpcServer("FairCallQueue", "QueueSizes").path(LOWEST).asInt());
                Thread.sleep(LIGHT_PAUSE_MILLIS);
            }
            assertThat(priority("heavy")).isEqualTo(LOWEST);
            assertThat(heavy.replies() - heavyBefore)
                    .as("calls of the heavy user meanwhile")
                    .isGreaterThan(LIGHT_CALLS);
        }
        assertThat(lightReplies)
                .as("whole replies to the light user")
                .hasSize(LIGHT_CALLS)
                .containsOnly(FEW);
        assertThat(lightPriority).as("the light user's lowest priority").isZero();
        assertThat(waitedAtLowest)
                .as("calls that have waited at the lowest priority")
                .isPositive();

        int limited = heavy.replies(0) + heavy.replies(MANY / 4) + heavy.replies(MANY / 2);
        assertThat(heavy.replies(0)).as("replies without predictions").isPositive();
        assertThat(limited + heavy.replies(MANY)).as("whole or limited replies").isEqualTo(heavy.replies());
        eventually(() -> assertThat(limitedReplies() - limitedBefore).isEqualTo(limited));
    }

    private static long limitedReplies() throws IOException {
        return cluster.nameNodeMetric("LimitedByPriority");
    }

    /** Returns the number of limited replies, including those of other tests. The method waits until the metric stops changing. */
    private static long settledLimitedReplies() throws Exception {
        long seen = -1;
        long now = limitedReplies();
        while (now != seen) {
            seen = now;
            Thread.sleep(METRICS_LAG_MILLIS);
            now = limitedReplies();
        }
        return now;
    }

    @Test
    void onlyBusyUser_isAtTheLowestPriority_andGetsAllPredictions() throws Exception {
        try (NameNodeTalk alone = as("alone")) {
            eventually(() -> {
                for (int i = 0; i < CALLS_COMPARED; i++) {
                    list(alone, "/many", MANY);
                }
                assertThat(priority("alone")).isEqualTo(LOWEST);
                assertThat(list(alone, "/many", MANY)).isEqualTo(MANY);
            });
        }
    }
}
