/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.net.StandardSocketFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** Behind a router all clients look like one client. The NameNode distinguishes the clients of a trusted router. */
final class RoutedClientsIT {

    private static final int FILES = 12;

    /** A socket factory with a separate class makes Hadoop keep a separate RPC client. */
    public static final class AnotherSocketFactory extends StandardSocketFactory {}

    @Test
    void clientsOfARouterThatIsBelieved_areLearnedFromEachByItself() throws Exception {
        List<String> told = toldAfterTheFirstFileOfA("127.0.0.1");
        assertThat(told).anyMatch(path -> path.startsWith("/a/")).noneMatch(path -> path.startsWith("/b/"));
    }

    @Test
    void clientsOfAnyOtherRouter_areOne() throws Exception {
        List<String> told = toldAfterTheFirstFileOfA("10.11.12.13");
        assertThat(told).anyMatch(path -> path.startsWith("/b/"));
    }

    /**
     * Two clients open a folder's files each, in turn, through one router. Then a third client asks the NameNode, and its predicted files are
     * returned.
     */
    private static List<String> toldAfterTheFirstFileOfA(String believed) throws Exception {
        try (TestCluster cluster = TestCluster.start(
                        "routed",
                        1,
                        Map.of(
                                "foresight.namenode.siblings.enabled",
                                "false",
                                "foresight.namenode.routers",
                                believed,
                                "hadoop.proxyuser."
                                        + UserGroupInformation.getCurrentUser().getShortUserName() + ".hosts",
                                "*"),
                        Map.of(),
                        Map.of("dfs.replication", "1"));
                Router router = Router.start(cluster)) {
            try (FileSystem direct = cluster.stockClient()) {
                for (int i = 0; i < FILES; i++) {
                    write(direct, file("/a", i));
                    write(direct, file("/b", i));
                }
            }
            try (FileSystem a = router.client(cluster.clientConf(), StandardSocketFactory.class);
                    FileSystem b = router.client(cluster.clientConf(), AnotherSocketFactory.class)) {
                for (int pass = 0; pass < 3; pass++) {
                    for (int i = 0; i < FILES; i++) {
                        a.open(file("/a", i)).close();
                        b.open(file("/b", i)).close();
                    }
                }
            }
            eventually(() -> assertThat(cluster.nameNodeMetric("Opens")).isGreaterThanOrEqualTo(2 * 3 * FILES));
            try (NameNodeTalk third = NameNodeTalk.as(UserGroupInformation.getCurrentUser(), cluster)) {
                return NameNodeTalk.paths(third.open(file("/a", 0).toString()));
            }
        }
    }

    private static Path file(String folder, int number) {
        return new Path(folder, Character.toString('a' + number));
    }

    private static void write(FileSystem fs, Path path) throws Exception {
        try (OutputStream out = fs.create(path)) {
            out.write(1);
        }
    }
}
