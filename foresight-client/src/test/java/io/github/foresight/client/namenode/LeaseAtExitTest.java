/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.client.ForesightProxyProvider;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** JVMs that read a file under a lease and end, in each way in which applications end. */
@Timeout(120)
final class LeaseAtExitTest {

    private LeasingNameNode nameNode;

    /** How a reader's JVM ends. */
    enum End {
        /** HDFS closes the file system in its shutdown hook. */
        RETURN_WITHOUT_CLOSE,
        EXIT_WITHOUT_CLOSE,
        CLOSE_AND_RETURN,
        CLOSE_AND_EXIT
    }

    /** The program of the other JVM. */
    static final class Reader {
        public static void main(String[] args) throws IOException {
            Configuration conf = new Configuration();
            conf.set("dfs.client.failover.proxy.provider.localhost", ForesightProxyProvider.class.getName());
            FileSystem fileSystem = FileSystem.get(URI.create(args[0]), conf);
            fileSystem.open(new org.apache.hadoop.fs.Path("/f")).close();
            if (System.in.read() < 0) {
                throw new IOException("the test has ended");
            }
            End end = End.valueOf(args[1]);
            if (end == End.CLOSE_AND_RETURN || end == End.CLOSE_AND_EXIT) {
                fileSystem.close();
            }
            if (end == End.EXIT_WITHOUT_CLOSE || end == End.CLOSE_AND_EXIT) {
                System.exit(0);
            }
        }
    }

    @BeforeEach
    void start() throws IOException {
        nameNode = LeasingNameNode.start(Duration.ofMinutes(2));
    }

    @AfterEach
    void stop() {
        nameNode.close();
    }

    /** Runs a reader to its end; returns how long it took from the word to end. */
    private Duration run(End end) throws Exception {
        int parked = nameNode.parked();
        Process reader = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Reader.class.getName(),
                        "hdfs://localhost:" + nameNode.port(),
                        end.name())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(new File("/dev/null")))
                .start();
        try {
            await().atMost(Duration.ofMinutes(1)).until(() -> nameNode.parked() > parked);
            long begun = System.nanoTime();
            reader.getOutputStream().write('\n');
            reader.getOutputStream().flush();
            assertThat(reader.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(reader.exitValue()).isZero();
            return Duration.ofNanos(System.nanoTime() - begun);
        } finally {
            reader.destroyForcibly();
        }
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void lease_ofAJvmThatEnds_isGivenBack(End end) throws Exception {
        for (int i = 1; i <= 3; i++) {
            run(end);
            int released = i;
            await().untilAsserted(() -> assertThat(nameNode.released()).isEqualTo(released));
        }
        assertThat(nameNode.sessions()).isZero();
    }

    @Test
    void nameNodeThatDoesNotAnswer_doesNotKeepAJvmFromEnding() throws Exception {
        CountDownLatch held = nameNode.holdReleases();
        Duration closed = run(End.CLOSE_AND_EXIT);
        Duration unclosed = run(End.EXIT_WITHOUT_CLOSE);
        held.countDown();
        // A call that is waited for lasts until the connection's timeout; the rest of the time is the end of the JVM
        // itself.
        assertThat(closed).isLessThan(Duration.ofSeconds(10));
        assertThat(unclosed).isLessThan(Duration.ofSeconds(10));
    }
}
