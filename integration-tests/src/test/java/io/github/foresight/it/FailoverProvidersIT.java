/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.BLOCK;
import static io.github.foresight.it.TestCluster.eventually;
import static io.github.foresight.it.TestCluster.read;
import static io.github.foresight.it.TestCluster.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.foresight.cluster.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.RequestHedgingProxyProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A nameservice whose first NameNode is down: the provider that was configured before goes on to the second NameNode. */
final class FailoverProvidersIT {

    private static final String NAMESERVICE = "twins";
    private static final String INNER_PROVIDER = "foresight.client.proxy.provider";

    private static TestCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(
                "failover", 2, Map.of("foresight.datanode.cache.capacity", "64m"), Map.of("dfs.replication", "1"));
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    private static Configuration nameserviceConf() throws IOException {
        Configuration conf = cluster.clientConf();
        cluster.clientInstallation().conf().forEach(conf::set);
        conf.set("fs.defaultFS", "hdfs://" + NAMESERVICE);
        conf.set("dfs.nameservices", NAMESERVICE);
        conf.set("dfs.ha.namenodes." + NAMESERVICE, "down,up");
        conf.set("dfs.namenode.rpc-address." + NAMESERVICE + ".down", "127.0.0.1:" + FreePorts.pick());
        conf.set(
                "dfs.namenode.rpc-address." + NAMESERVICE + ".up",
                URI.create(cluster.processes().uri()).getAuthority());
        conf.set(
                "dfs.client.failover.proxy.provider." + NAMESERVICE,
                "io.github.foresight.client.ForesightProxyProvider");
        return conf;
    }

    private static void assertReadsAhead(Configuration conf, String path) throws IOException {
        try (FileSystem fs = FileSystem.newInstance(conf)) {
            long written = write(fs, path, 8, (short) 1);
            try (InputStream in = fs.open(new Path(path))) {
                assertReadsAhead(in);
            }
            assertThat(read(fs, path)).isEqualTo(written);
        }
    }

    /**
     * Asserts that the DataNode reads ahead for a reader. The reader waits in the first of eight blocks until the DataNode reads ahead. The reader
     * waits in the second block until more than a block was read ahead. A reader without waits may stay ahead of its hints for a whole short file.
     */
    private static void assertReadsAhead(InputStream in) throws IOException {
        long before = cluster.hintedBytesInMemory();
        int begun = BLOCK / 2;
        assertThat(in.readNBytes(begun)).hasSize(begun);
        eventually(() -> assertThat(cluster.hintedBytesInMemory()).isGreaterThan(before));

        int turned = BLOCK + 1 - begun;
        assertThat(in.readNBytes(turned)).hasSize(turned);
        eventually(() -> assertThat(cluster.hintedBytesInMemory()).isGreaterThan(before + BLOCK));
        assertThat(in.readAllBytes()).hasSize(7 * BLOCK - 1);
    }

    @Test
    void unnamedProvider_isHdfsOwnForANameservice() throws Exception {
        assertReadsAhead(nameserviceConf(), "/default");
    }

    @ParameterizedTest
    @ValueSource(classes = {RequestHedgingProxyProvider.class, ObserverReadProxyProvider.class})
    void namedProvider_isWrapped(Class<?> provider) throws Exception {
        Configuration conf = nameserviceConf();
        conf.set(INNER_PROVIDER + "." + NAMESERVICE, provider.getName());

        assertReadsAhead(conf, "/" + provider.getSimpleName());
    }

    @ParameterizedTest
    @ValueSource(classes = {RequestHedgingProxyProvider.class, ObserverReadProxyProvider.class})
    void configuredProvider_isWrappedByTheFileSystem(Class<?> provider) throws Exception {
        Configuration conf = nameserviceConf();
        conf.set("dfs.client.failover.proxy.provider." + NAMESERVICE, provider.getName());
        conf.set("fs.hdfs.impl", "io.github.foresight.client.ForesightFileSystem");

        assertReadsAhead(conf, "/by-file-system/" + provider.getSimpleName());
    }

    @Test
    void fileContext_goesThroughTheSameProvider() throws Exception {
        Configuration conf = nameserviceConf();
        try (FileSystem fs = FileSystem.newInstance(conf)) {
            write(fs, "/context", 8, (short) 1);
        }
        try (InputStream in = FileContext.getFileContext(conf).open(new Path("/context"))) {
            assertReadsAhead(in);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"no.such.Provider", "java.lang.String"})
    void providerThatIsNone_isNamedInTheError(String name) throws Exception {
        Configuration conf = nameserviceConf();
        conf.set(INNER_PROVIDER, name);

        assertThatThrownBy(() -> FileSystem.newInstance(conf))
                .hasStackTraceContaining(INNER_PROVIDER)
                .hasStackTraceContaining(name)
                .hasStackTraceContaining("accepted");
    }
}
