/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.junit.jupiter.api.Test;

/** Clients that read from an observer NameNode get predicted files from the observer. */
final class ObserverReadsIT {

    private static final int FILES = 20;

    @Test
    void observer_learnsAndPredicts() throws Exception {
        try (HaCluster cluster = HaCluster.start(Map.of(
                "foresight.namenode.siblings.enabled", "false",
                "dfs.namenode.state.context.enabled", "true",
                "dfs.ha.log-roll.period", "1s"))) {
            List<Path> order = new ArrayList<>();
            try (FileSystem active = cluster.client()) {
                for (int i = 0; i < FILES; i++) {
                    Path path = new Path("/observed/" + (char) ('a' + i));
                    try (OutputStream out = active.create(path)) {
                        out.write(i);
                    }
                    order.add(path);
                }
            }
            cluster.transition("-transitionToObserver", "nn2");
            for (int pass = 0; pass < 3; pass++) {
                readAll(cluster, order, "strict");
            }
            assertThat(prefetchGrants(cluster, "nn2"))
                    .as("grants by the observer, which cannot recall them")
                    .isZero();
            eventually(() -> {
                readAll(cluster, order, "bounded");
                assertThat(prefetchGrants(cluster, "nn2"))
                        .as("grants by the observer")
                        .isPositive();
            });
            assertThat(prefetchGrants(cluster, "nn1"))
                    .as("grants by the active NameNode, which is not asked once the observer serves")
                    .isLessThan(FILES);
        }
    }

    private static void readAll(HaCluster cluster, List<Path> order, String consistency) throws Exception {
        Configuration conf = cluster.configuration();
        conf.set("foresight.client.consistency", consistency);
        String nameservice = conf.get("dfs.nameservices");
        conf.set(
                "dfs.client.failover.proxy.provider." + nameservice,
                "io.github.foresight.client.ForesightProxyProvider");
        conf.set("foresight.client.proxy.provider", ObserverReadProxyProvider.class.getName());
        try (FileSystem fs = FileSystem.newInstance(URI.create("hdfs://" + nameservice), conf)) {
            for (int i = 0; i < order.size(); i++) {
                try (InputStream in = fs.open(order.get(i))) {
                    assertThat(in.read()).isEqualTo(i);
                }
            }
        }
    }

    private static long prefetchGrants(HaCluster cluster, String nameNode) throws Exception {
        return Files.readAllLines(cluster.log(nameNode)).stream()
                .filter(line -> line.contains("cmd=prefetch"))
                .count();
    }
}
