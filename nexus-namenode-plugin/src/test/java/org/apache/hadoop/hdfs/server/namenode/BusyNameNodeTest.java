/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.guard.KeyedHash;
import io.github.foresight.core.guard.ReadLimits;
import io.github.foresight.core.guard.RecentSet;
import io.github.foresight.core.guard.Refusals;
import io.github.foresight.core.guard.UserAccessHistory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.Wanted;
import org.apache.hadoop.ipc.HandledCall;
import org.apache.hadoop.ipc.ProcessingDetails.Timing;
import org.apache.hadoop.ipc.Server;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Predictions while calls wait for the only handler of a real NameNode. */
class BusyNameNodeTest {

    private static final int CALLS = 6;

    private static InProcessCluster cluster;

    private final RecordedEvents events = new RecordedEvents();

    @BeforeAll
    static void start() throws Exception {
        cluster = InProcessCluster.start(Map.of("dfs.namenode.handler.count", "1"));
        cluster.write("/file", "644");
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @AfterEach
    void forgetCall() {
        HandledCall.end();
    }

    private NamespaceReader reader(ReadLimits limits) throws ReflectiveOperationException {
        UserAccessHistory accessHistory =
                new UserAccessHistory(new KeyedHash(1, 2), new RecentSet(4), new Refusals(4, 1, 0));
        return new NamespaceReader(cluster.nameNode(), limits, accessHistory, false, events);
    }

    private static int waitingCalls() {
        return ((NameNodeRpcServer) cluster.nameNode().getRpcServer())
                .getClientRpcServer()
                .getCallQueueLen();
    }

    /** Does something while the handler waits for the lock and the other calls for the handler. */
    private static void whileCallsWait(ThrowingRunnable action) throws Throwable {
        FSNamesystem namesystem = cluster.nameNode().getNamesystem();
        List<Thread> callers = new ArrayList<>();
        NamesystemLock lock = NamesystemLock.read();
        lock.lock(namesystem);
        try {
            for (int i = 0; i < CALLS; i++) {
                Thread caller = new Thread(() -> {
                    try {
                        cluster.fs().setTimes(new Path("/file"), -1, 1);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
                caller.start();
                callers.add(caller);
            }
            Awaitility.await().until(() -> waitingCalls() >= CALLS - 1);
            action.run();
        } finally {
            lock.unlock(namesystem);
            for (Thread caller : callers) {
                caller.join();
            }
        }
        Awaitility.await().until(() -> waitingCalls() == 0);
    }

    @Test
    void moreCallsThanTheLimit_areNotKeptWaitingForPredictions() throws Throwable {
        NamespaceReader reader = reader(new ReadLimits(0, 0, 0, CALLS - 2));
        whileCallsWait(() -> {
            assertThat(reader(new ReadLimits(0, 0, 0, 0)).isServing())
                    .as("no limit")
                    .isTrue();
            assertThat(events.skips).hasValue(0);
            assertThat(reader.isServing()).isFalse();
            assertThat(events.skips).hasValue(1);
        });
        assertThat(reader.isServing()).isTrue();
    }

    @Test
    void callerThatHdfsPutsBehindOthers_isPredictedFewerFilesFor_whileCallsWait() throws Throwable {
        NamespaceReader reader = reader(new ReadLimits(0, 0, 0, 0, 3));
        whileCallsWait(() -> {
            HandledCall.begin(0);
            assertThat(reader.filesAtPriority(16)).isEqualTo(16);
            assertThat(events.limits).hasValue(0);
            HandledCall.begin(1);
            assertThat(reader.filesAtPriority(16)).isEqualTo(8);
            HandledCall.begin(3);
            assertThat(reader.filesAtPriority(16)).isZero();
            assertThat(events.limits).hasValue(2);
        });
        assertThat(reader.filesAtPriority(16)).as("no call waits").isEqualTo(16);
    }

    @Test
    void prediction_isChargedToTheCaller_asLockTime() throws Exception {
        Server.Call call = HandledCall.begin(0);
        RecordedAnswers answers = new RecordedAnswers();
        reader(new ReadLimits(0, 0, 0, 0)).read(List.of(Wanted.byPath("/file", 1)), 1, false, answers);
        assertThat(answers.paths()).containsExactly("/file");
        assertThat(call.getProcessingDetails().get(Timing.LOCKSHARED)).isPositive();
    }
}
