/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.guard.KeyedHash;
import io.github.foresight.core.guard.ReadLimits;
import io.github.foresight.core.guard.RecentSet;
import io.github.foresight.core.guard.Refusals;
import io.github.foresight.core.guard.UserAccessHistory;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.Refusal;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.Wanted;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The questions that predictions ask an external enforcer such as Ranger's. */
class ExternalEnforcerTest {

    /** Refuses what has "denied" in its path to all but superusers, and records each question. */
    public static final class RecordingProvider extends INodeAttributeProvider {

        private static final List<String> QUESTIONS = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public INodeAttributes getAttributes(String[] pathElements, INodeAttributes inode) {
            QUESTIONS.add("attributes " + String.join("/", pathElements));
            return inode;
        }

        @Override
        public AccessControlEnforcer getExternalAccessControlEnforcer(AccessControlEnforcer defaultEnforcer) {
            return new RecordingEnforcer();
        }
    }

    private static final class RecordingEnforcer implements INodeAttributeProvider.AccessControlEnforcer {

        @Override
        @SuppressWarnings("deprecation") // what enforcers of all versions have
        public void checkPermission(
                String fsOwner,
                String supergroup,
                UserGroupInformation ugi,
                INodeAttributes[] inodeAttrs,
                INode[] inodes,
                byte[][] pathByNameArr,
                int snapshotId,
                String path,
                int ancestorIndex,
                boolean doCheckOwner,
                FsAction ancestorAccess,
                FsAction parentAccess,
                FsAction access,
                FsAction subAccess,
                boolean ignoreEmptyDir)
                throws AccessControlException {
            RecordingProvider.QUESTIONS.add("check " + path);
            if (path.contains("denied")) {
                throw new AccessControlException(path);
            }
        }

        @Override
        public void checkPermissionWithContext(INodeAttributeProvider.AuthorizationContext context)
                throws AccessControlException {
            RecordingProvider.QUESTIONS.add("check " + context.getPath());
            if (context.getPath().contains("denied")) {
                throw new AccessControlException(context.getPath());
            }
        }
    }

    private static InProcessCluster cluster;

    private final UserGroupInformation bob = InProcessCluster.user("bob");
    private final List<Refusal> refusals = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        cluster = InProcessCluster.start(
                Map.of("dfs.namenode.inode.attributes.provider.class", RecordingProvider.class.getName()));
        cluster.mkdirs("/p", "755");
        cluster.write("/p/file", "644");
        cluster.write("/p/denied", "644");
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @BeforeEach
    void forgetQuestions() {
        RecordingProvider.QUESTIONS.clear();
    }

    private static NamespaceReader reader(boolean asksEnforcer) throws ReflectiveOperationException {
        return new NamespaceReader(
                cluster.nameNode(),
                new ReadLimits(0, 0, 0, 0),
                new UserAccessHistory(
                        new KeyedHash(1, 2), new RecentSet(64), new Refusals(64, Long.MAX_VALUE, System.nanoTime())),
                asksEnforcer,
                new RecordedEvents());
    }

    private List<String> read(NamespaceReader reader, String... paths) throws Exception {
        RecordedAnswers answers = new RecordedAnswers();
        List<Wanted> files =
                Arrays.stream(paths).map(path -> Wanted.byPath(path, 1)).collect(Collectors.toList());
        bob.doAs((PrivilegedExceptionAction<Void>) () -> {
            reader.read(files, 10, true, answers);
            return null;
        });
        refusals.addAll(answers.refusals);
        assertThat(answers.failures).isEmpty();
        return answers.paths();
    }

    @Test
    void enforcer_thatMayNotBeAsked_isAskedNothing() throws Exception {
        assertThat(read(reader(false), "/p/file", "/p/denied")).isEmpty();
        assertThat(refusals).containsExactly(Refusal.LEFT_TO_ENFORCER, Refusal.LEFT_TO_ENFORCER);
        assertThat(RecordingProvider.QUESTIONS).isEmpty();
    }

    @Test
    void enforcer_thatMayBeAsked_decidesAndIsNotAskedAgainWhatItHasRefused() throws Exception {
        NamespaceReader reader = reader(true);
        assertThat(read(reader, "/p/file", "/p/denied")).containsExactly("/p/file");
        assertThat(refusals).containsExactly(Refusal.NOT_PERMITTED);
        assertThat(RecordingProvider.QUESTIONS).contains("check /p/file", "check /p/denied");

        RecordingProvider.QUESTIONS.clear();
        assertThat(read(reader, "/p/file", "/p/denied")).containsExactly("/p/file");
        assertThat(refusals).containsExactly(Refusal.NOT_PERMITTED, Refusal.LEFT_TO_ENFORCER);
        assertThat(RecordingProvider.QUESTIONS).contains("check /p/file").doesNotContain("check /p/denied");
    }
}
