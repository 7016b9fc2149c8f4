/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.graph.Successors;
import io.github.foresight.namenode.client.ClientSession;
import io.github.foresight.namenode.learn.AccessLearner;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.namenode.settings.NameNodeSettings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointsTest {

    private static final long INTERVAL = TimeUnit.MINUTES.toMillis(10);

    @TempDir
    private Path folder;

    /** A folder in HDFS. */
    private static final class FakeHdfs {
        final Map<String, byte[]> files = new TreeMap<>();
        final Map<String, Long> times = new HashMap<>();
        boolean failing;

        @Nullable
        Error error;

        CountDownLatch reached = new CountDownLatch(0);
        CountDownLatch released = new CountDownLatch(0);
        long now;

        void check() throws IOException {
            reached.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
            if (error != null) {
                throw error;
            }
            if (failing) {
                throw new IOException("no NameNode is active");
            }
        }
    }

    private static final class FakeShared implements Checkpoints.Shared {
        final FakeHdfs hdfs;
        final String ownName;

        FakeShared(FakeHdfs hdfs, String ownName) {
            this.hdfs = hdfs;
            this.ownName = ownName;
        }

        @Override
        public String ownName() {
            return ownName;
        }

        @Override
        public Map<String, Long> list() throws IOException {
            hdfs.check();
            Map<String, Long> found = new LinkedHashMap<>(hdfs.times);
            found.keySet().removeIf(name -> name.endsWith(".refused"));
            return found;
        }

        @Override
        public InputStream open(String name) throws IOException {
            hdfs.check();
            byte[] bytes = hdfs.files.get(name);
            if (bytes == null) {
                throw new FileNotFoundException(name);
            }
            return new ByteArrayInputStream(bytes);
        }

        @Override
        public void replaceOwn(Checkpoints.Content content) throws IOException {
            hdfs.check();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            content.writeTo(out);
            hdfs.files.put(ownName, out.toByteArray());
            hdfs.times.put(ownName, ++hdfs.now);
        }

        @Override
        public void putOwnAside() throws IOException {
            hdfs.check();
            hdfs.files.put(ownName + ".refused", hdfs.files.remove(ownName));
            hdfs.times.remove(ownName);
        }
    }

    /** The learner and the checkpoints of a NameNode. */
    private static final class Node implements AutoCloseable {
        final AccessLearner learner;
        final Checkpoints checkpoints;
        boolean active;
        long now = System.currentTimeMillis();

        Node(String id, FakeHdfs hdfs, String localFile) {
            NameNodeSettings settings = NameNodeSettings.read(Map.of(
                    "foresight.namenode.graph.capacity", "1m",
                    "foresight.namenode.checkpoint.interval", "10m",
                    "foresight.namenode.checkpoint.file", localFile)::get);
            learner = new AccessLearner(settings, unused -> {});
            checkpoints = new Checkpoints(
                    settings, learner, "BP", () -> active, new FakeShared(hdfs, id), new NameNodeMetrics());
        }

        Node(String id, FakeHdfs hdfs) {
            this(id, hdfs, "");
        }

        void learn(long first, long then) {
            ClientSession session = new ClientSession(0, 2, Long.MAX_VALUE, 0);
            learner.recordLater(session, first, 0);
            learner.recordLater(session, then, 0);
            learner.files();
        }

        boolean knows(long first, long then) {
            Successors successors = new Successors(64);
            learner.files().read(first, 0, successors);
            for (int rank = 0; rank < successors.size(); rank++) {
                if (successors.file(rank) == then) {
                    return true;
                }
            }
            return false;
        }

        void look() {
            checkpoints.look(now);
        }

        void lookAfterInterval() {
            now += 2 * INTERVAL;
            checkpoints.look(now);
        }

        @Override
        public void close() {
            checkpoints.close();
        }
    }

    private final FakeHdfs hdfs = new FakeHdfs();

    @Test
    void observerThatHasLearned_contributes() {
        try (Node observer = new Node("/g.nn3", hdfs);
                Node activeOne = new Node("/g.nn1", hdfs)) {
            observer.learn(1, 2);
            observer.lookAfterInterval();
            assertThat(hdfs.files).containsOnlyKeys("/g.nn3");
            activeOne.active = true;
            activeOne.learn(7, 8);
            activeOne.lookAfterInterval();
            assertThat(activeOne.knows(1, 2)).isTrue();
            assertThat(activeOne.knows(7, 8)).isTrue();
            assertThat(hdfs.files).containsOnlyKeys("/g.nn1", "/g.nn3");
        }
    }

    @Test
    void standby_followsTheActive() {
        try (Node activeOne = new Node("/g.nn1", hdfs);
                Node standby = new Node("/g.nn2", hdfs)) {
            activeOne.active = true;
            activeOne.learn(1, 2);
            activeOne.lookAfterInterval();
            standby.look();
            assertThat(standby.knows(1, 2)).isTrue();
            activeOne.learn(1, 3);
            activeOne.learn(4, 5);
            activeOne.lookAfterInterval();
            standby.lookAfterInterval();
            assertThat(standby.knows(1, 3)).as("of a vertex that it knew").isTrue();
            assertThat(standby.knows(4, 5)).isTrue();
            assertThat(hdfs.files)
                    .as("a standby that has learned nothing writes nothing")
                    .containsOnlyKeys("/g.nn1");
        }
    }

    @Test
    void bothSidesKnowSomething_bothIsKeptInTheFile() {
        try (Node one = new Node("/g.nn1", hdfs);
                Node other = new Node("/g.nn2", hdfs)) {
            one.learn(1, 2);
            one.lookAfterInterval();
            other.learn(1, 3);
            other.learn(4, 5);
            other.active = true;
            other.lookAfterInterval();
            assertThat(other.knows(1, 2)).isTrue();
            assertThat(other.knows(1, 3)).isTrue();
            try (Node third = new Node("/g.nn9", hdfs)) {
                hdfs.files.remove("/g.nn1");
                hdfs.times.remove("/g.nn1");
                third.look();
                assertThat(third.knows(1, 2)).isTrue();
                assertThat(third.knows(1, 3)).isTrue();
                assertThat(third.knows(4, 5)).isTrue();
            }
        }
    }

    @Test
    void becomingActive_withHdfsFailing_isTriedAgainAndReplacesNothingBefore() {
        try (Node before = new Node("/g.nn1", hdfs)) {
            before.learn(1, 2);
            before.lookAfterInterval();
        }
        byte[] written = hdfs.files.get("/g.nn1");
        try (Node again = new Node("/g.nn1", hdfs)) {
            hdfs.failing = true;
            again.look();
            again.active = true;
            again.learn(7, 8);
            again.look();
            again.lookAfterInterval();
            hdfs.failing = false;
            again.look();
            assertThat(hdfs.files.get("/g.nn1")).as("not merged yet").isSameAs(written);
            assertThat(again.knows(1, 2)).isFalse();
            again.now += TimeUnit.SECONDS.toMillis(11);
            again.look();
            assertThat(again.knows(1, 2)).as("tried again").isTrue();
            again.lookAfterInterval();
            assertThat(hdfs.files.get("/g.nn1")).isNotSameAs(written);
        }
        try (Node third = new Node("/g.nn9", hdfs)) {
            third.look();
            assertThat(third.knows(1, 2)).isTrue();
            assertThat(third.knows(7, 8)).isTrue();
        }
    }

    @Test
    void twoThatTakeThemselvesForActive_loseNothing() {
        try (Node one = new Node("/g.nn1", hdfs);
                Node other = new Node("/g.nn2", hdfs)) {
            one.active = true;
            other.active = true;
            one.look();
            other.look();
            for (int round = 0; round < 3; round++) {
                one.learn(10 + round, 100);
                other.learn(20 + round, 200);
                one.lookAfterInterval();
                other.lookAfterInterval();
            }
            one.lookAfterInterval();
            for (int round = 0; round < 3; round++) {
                assertThat(one.knows(20 + round, 200)).isTrue();
                assertThat(other.knows(10 + round, 100)).isTrue();
            }
        }
    }

    @Test
    void ownDamagedFile_isPutAsideAndAnotherIsWritten() {
        try (Node before = new Node("/g.nn1", hdfs)) {
            before.learn(1, 2);
            before.lookAfterInterval();
        }
        hdfs.files.get("/g.nn1")[20]++;
        byte[] damaged = hdfs.files.get("/g.nn1");
        try (Node again = new Node("/g.nn1", hdfs)) {
            again.look();
            again.learn(7, 8);
            again.lookAfterInterval();
            assertThat(hdfs.files.get("/g.nn1.refused")).isSameAs(damaged);
            assertThat(hdfs.files).containsKey("/g.nn1");
        }
    }

    @Test
    void othersDamagedFile_isLeftAndPassedOver() {
        try (Node other = new Node("/g.nn2", hdfs)) {
            other.learn(1, 2);
            other.lookAfterInterval();
        }
        hdfs.files.get("/g.nn2")[20]++;
        try (Node one = new Node("/g.nn1", hdfs)) {
            one.learn(7, 8);
            one.lookAfterInterval();
            assertThat(hdfs.files).containsOnlyKeys("/g.nn1", "/g.nn2");
        }
    }

    @Test
    void localFile_outlivesARestartAndIsPutAsideIfDamaged() throws IOException {
        Path local = folder.resolve("graph");
        try (Node node = new Node("", hdfs, local.toString())) {
            node.learn(1, 2);
            node.look();
        }
        assertThat(local).as("written at the end").exists();
        try (Node node = new Node("", hdfs, local.toString())) {
            node.look();
            assertThat(node.knows(1, 2)).isTrue();
        }
        byte[] bytes = Files.readAllBytes(local);
        bytes[bytes.length / 2]++;
        Files.write(local, bytes);
        try (Node node = new Node("", hdfs, local.toString())) {
            node.look();
            assertThat(node.knows(1, 2)).isFalse();
            assertThat(folder.resolve("graph.refused")).exists();
        }
        assertThat(hdfs.files).as("none is shared").isEmpty();
    }

    @Test
    void localFile_isWrittenAtTheEnd_whileHdfsHangs() throws Exception {
        Path local = folder.resolve("graph");
        hdfs.reached = new CountDownLatch(1);
        hdfs.released = new CountDownLatch(1);
        try (Node node = new Node("/g.nn1", hdfs, local.toString())) {
            node.checkpoints.start();
            hdfs.reached.await();
            node.learn(1, 2);
        }
        assertThat(local).exists();
        try (Node again = new Node("", hdfs, local.toString())) {
            again.look();
            assertThat(again.knows(1, 2)).isTrue();
        }
    }

    @Test
    void error_inHdfs_endsNoThread_andIsTriedAgain() {
        try (Node before = new Node("/g.nn1", hdfs)) {
            before.learn(1, 2);
            before.lookAfterInterval();
        }
        try (Node again = new Node("/g.nn1", hdfs)) {
            hdfs.error = new OutOfMemoryError("as if");
            again.look();
            hdfs.error = null;
            again.lookAfterInterval();
            assertThat(again.knows(1, 2)).isTrue();
        }
    }
}
