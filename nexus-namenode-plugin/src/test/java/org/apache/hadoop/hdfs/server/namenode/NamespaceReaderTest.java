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
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.permission.PermissionStatus;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.ReadableFile;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.Refusal;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.Wanted;
import org.apache.hadoop.security.UserGroupInformation;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which files a caller is given, on a NameNode and a DataNode of HDFS's. */
class NamespaceReaderTest {

    private static final int BLOCKS_MAX = 10;
    private static final String PUBLIC = "644";
    private static final PermissionStatus SUPERUSER =
            PermissionStatus.createImmutable("root", "supergroup", FsPermission.getDirDefault());

    private static InProcessCluster cluster;

    private final UserGroupInformation bob = InProcessCluster.user("bob", "b");
    private final List<Refusal> refusals = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final UserAccessHistory accessHistory = new UserAccessHistory(
            new KeyedHash(1, 2), new RecentSet(64), new Refusals(64, Long.MAX_VALUE, System.nanoTime()));
    private final RecordedEvents events = new RecordedEvents();
    private NamespaceReader reader;

    @BeforeAll
    static void start() throws Exception {
        cluster = InProcessCluster.start(Map.of());
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @BeforeEach
    void makeReader() throws Exception {
        reader = reader(new ReadLimits(0, 0, 0, 0));
    }

    private NamespaceReader reader(ReadLimits limits) throws ReflectiveOperationException {
        return new NamespaceReader(cluster.nameNode(), limits, accessHistory, false, events);
    }

    private List<String> read(UserGroupInformation caller, Wanted... files) throws Exception {
        return read(caller, Arrays.asList(files), new RecordedAnswers());
    }

    private List<String> read(UserGroupInformation caller, List<Wanted> files, RecordedAnswers answers)
            throws Exception {
        caller.doAs((PrivilegedExceptionAction<Void>) () -> {
            reader.read(files, BLOCKS_MAX, false, answers);
            return null;
        });
        refusals.addAll(answers.refusals);
        failures.addAll(answers.failures);
        return answers.paths();
    }

    private static Wanted byBlock(String path) throws Exception {
        return Wanted.byFirstBlock(cluster.firstBlock(path), 1);
    }

    private static Wanted byPath(String path) {
        return Wanted.byPath(path, 1);
    }

    @Test
    void readableFile_inADirectoryThatTheCallerMayTraverseButNotList_isRefused() throws Exception {
        cluster.mkdirs("/traversed", "711");
        cluster.write("/traversed/file", PUBLIC);

        assertThat(read(bob, byBlock("/traversed/file"), byPath("/traversed/file")))
                .isEmpty();
        assertThat(refusals).hasSize(2);
        cluster.fs().setPermission(new Path("/traversed"), new FsPermission("755"));
        assertThat(read(bob, byBlock("/traversed/file"))).containsExactly("/traversed/file");
    }

    @Test
    void readableFile_inADirectoryWhoseAclDecides_isGivenToThoseThatMayList() throws Exception {
        UserGroupInformation carol = InProcessCluster.user("carol", "c");
        cluster.mkdirs("/acl", "711");
        cluster.write("/acl/file", PUBLIC);
        cluster.fs().modifyAclEntries(new Path("/acl"), AclEntry.parseAclSpec("user:carol:r-x", true));

        assertThat(read(carol, byBlock("/acl/file"))).containsExactly("/acl/file");
        assertThat(read(bob, byBlock("/acl/file"))).isEmpty();

        cluster.fs().modifyAclEntries(new Path("/acl"), AclEntry.parseAclSpec("other::r-x,user:bob:--x", true));
        assertThat(read(bob, byBlock("/acl/file"))).isEmpty();
        assertThat(read(InProcessCluster.user("dave"), byBlock("/acl/file"))).containsExactly("/acl/file");
    }

    @Test
    void file_thatTheUserHasOpened_isGivenUnderThatPathOnly() throws Exception {
        cluster.mkdirs("/opened", "711");
        cluster.write("/opened/file", PUBLIC);
        cluster.write("/opened/other", PUBLIC);
        reader.opened("bob", "/opened/file");

        assertThat(read(bob, byBlock("/opened/file"), byBlock("/opened/other"))).containsExactly("/opened/file");
        assertThat(read(InProcessCluster.user("carol"), byBlock("/opened/file")))
                .isEmpty();
        cluster.fs().rename(new Path("/opened/file"), new Path("/opened/renamed"));
        assertThat(read(bob, byBlock("/opened/renamed"))).isEmpty();
    }

    @Test
    void file_ofWhichTheCallerIsNotTold_needsNoListableDirectory() throws Exception {
        cluster.mkdirs("/unnamed", "711");
        cluster.write("/unnamed/file", PUBLIC);
        assertThat(read(bob, Wanted.unnamed(cluster.firstBlock("/unnamed/file"), 1)))
                .containsExactly("/unnamed/file");
    }

    @Test
    void symbolicLink_isLeftOutAndOthersAreRead() throws Exception {
        cluster.mkdirs("/links", "755");
        cluster.write("/links/target", PUBLIC);
        FileSystem.enableSymlinks();
        cluster.nameNode().getNamesystem().createSymlink("/links/target", "/links/link", SUPERUSER, false, false);

        assertThat(read(bob, byPath("/links/link"), byPath("/links/link/below"), byPath("/links/target")))
                .containsExactly("/links/target");
        assertThat(refusals).containsExactly(Refusal.UNKNOWN, Refusal.UNKNOWN);
        assertThat(failures).isEmpty();
    }

    @Test
    void file_thatFails_isLeftOutAndOthersAreRead() throws Exception {
        cluster.mkdirs("/failing", "755");
        cluster.write("/failing/one", PUBLIC);
        cluster.write("/failing/two", PUBLIC);
        RecordedAnswers failing = new RecordedAnswers() {
            @Override
            public void readable(ReadableFile file) {
                if (file.path().endsWith("one")) {
                    throw new IllegalStateException("as if it were damaged");
                }
                super.readable(file);
            }
        };
        assertThat(read(bob, List.of(byPath("no path"), byPath("/failing/one"), byPath("/failing/two")), failing))
                .containsExactly("/failing/two");
        assertThat(refusals).containsExactly(Refusal.FAILED, Refusal.FAILED);
        assertThat(failures).hasSize(2);
    }

    @Test
    void hold_isGivenUpAfterSoManyFiles_soThatAWriterIsServedInBetween() throws Exception {
        reader = reader(new ReadLimits(2, 0, 0, 0));
        cluster.mkdirs("/many", "755");
        List<Wanted> files = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            cluster.write("/many/" + i, PUBLIC);
            files.add(byPath("/many/" + i));
        }
        FSNamesystem namesystem = cluster.nameNode().getNamesystem();
        AtomicBoolean written = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            try {
                cluster.nameNode().getNamesystem().mkdirs("/many/made", SUPERUSER, true);
                written.set(true);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        List<Boolean> writtenBefore = new ArrayList<>();
        RecordedAnswers observing = new RecordedAnswers() {
            @Override
            public void readable(ReadableFile file) {
                if (writtenBefore.isEmpty()) {
                    writer.start();
                    Awaitility.await().until(() -> namesystem.getFsLockQueueLength() > 0);
                }
                writtenBefore.add(exists("/many/made"));
            }
        };
        assertThat(read(bob, files, observing)).isEmpty();
        writer.join();
        assertThat(written).isTrue();
        assertThat(writtenBefore).containsExactly(false, false, true, true, true, true);
        assertThat(events.yields).hasValue(2);
    }

    private static boolean exists(String path) {
        try {
            return cluster.nameNode().getNamesystem().getFSDirectory().getINode(path) != null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void hold_isGivenUpAfterSoLong() throws Exception {
        reader = reader(new ReadLimits(0, 1, 0, 0));
        cluster.mkdirs("/long", "755");
        cluster.write("/long/file", PUBLIC);
        assertThat(read(bob, byPath("/long/file"), byPath("/long/file"), byPath("/long/file")))
                .hasSize(3);
        assertThat(events.yields).hasValue(2);
    }

    @Test
    void lockThatManyWaitFor_isNotTaken() throws Exception {
        reader = reader(new ReadLimits(0, 0, 1, 0));
        cluster.mkdirs("/busy", "755");
        cluster.write("/busy/file", PUBLIC);
        FSNamesystem namesystem = cluster.nameNode().getNamesystem();
        List<Thread> waiting = new ArrayList<>();
        NamesystemLock lock = NamesystemLock.read();
        lock.lock(namesystem);
        try {
            for (int i = 0; i < 2; i++) {
                Thread thread = new Thread(() -> {
                    try {
                        namesystem.setTimes("/busy/file", -1, 1);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
                thread.start();
                waiting.add(thread);
            }
            // The NameNode's own monitors may wait as well.
            Awaitility.await().until(() -> namesystem.getFsLockQueueLength() >= waiting.size());
            assertThat(reader.isServing()).isFalse();
            assertThat(events.skips).hasValue(1);
            assertThat(read(bob, byPath("/busy/file"))).isEmpty();
            assertThat(refusals).containsExactly(Refusal.NOT_NOW);
        } finally {
            lock.unlock(namesystem);
        }
        for (Thread thread : waiting) {
            thread.join();
        }
        Awaitility.await().until(() -> namesystem.getFsLockQueueLength() == 0);
        assertThat(reader.isServing()).isTrue();
        assertThat(read(bob, byPath("/busy/file"))).containsExactly("/busy/file");
    }
}
