/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.junit.jupiter.api.Test;

/** The learned order survives a restart, and is present on the other NameNode after a failover. */
final class LearnedOrderSurvivesIT {

    private static final int FILES = 20;

    /** A checkpoint that is written during the last round has the others. */
    private static final int ROUNDS = 3;

    private static final String CHECKPOINT = "/system/foresight/graph";
    private static final String LOG_TIME = "yyyy-MM-dd HH:mm:ss,SSS";
    private static final DateTimeFormatter LOG_TIME_FORMAT = DateTimeFormatter.ofPattern(LOG_TIME);

    private final List<String> order = new ArrayList<>();

    /** Opens the files in one order, several times. Returns the time before the last open, in milliseconds. */
    private long learnAt(HaCluster cluster, String nameNode) throws Exception {
        try (DistributedFileSystem fs = cluster.client()) {
            for (int i = 0; i < FILES; i++) {
                String path = "/learned/" + (char) ('a' + i);
                try (FSDataOutputStream out = fs.create(new Path(path))) {
                    out.write(i);
                }
                order.add(path);
            }
        }
        long beforeLast = 0;
        for (int round = 0; round < ROUNDS; round++) {
            try (NameNodeTalk talk = talk(cluster, nameNode)) {
                for (String path : order) {
                    beforeLast = System.currentTimeMillis();
                    talk.open(path, UnknownFieldSet.getDefaultInstance());
                }
            }
        }
        return beforeLast;
    }

    /** Waits until a NameNode has read the checkpoint of another NameNode that was written at a time or later. */
    private static void awaitRead(HaCluster cluster, String reader, String writer, long sinceMillis) throws Exception {
        try (DistributedFileSystem fs = cluster.client()) {
            eventually(() -> {
                long written =
                        fs.getFileStatus(new Path(CHECKPOINT + "." + writer)).getModificationTime();
                assertThat(written).as("written at").isGreaterThanOrEqualTo(sinceMillis);
                assertThat(lastRead(cluster.log(reader), CHECKPOINT + "." + writer))
                        .as("read at")
                        .isGreaterThanOrEqualTo(written);
            });
        }
    }

    private static long lastRead(java.nio.file.Path log, String checkpoint) throws IOException {
        return Files.readAllLines(log).stream()
                .filter(line -> line.contains("Foresight has learned from " + checkpoint))
                .mapToLong(line -> LocalDateTime.parse(line.substring(0, LOG_TIME.length()), LOG_TIME_FORMAT)
                        .atZone(ZoneId.systemDefault())
                        .toInstant()
                        .toEpochMilli())
                .max()
                .orElse(0);
    }

    private static NameNodeTalk talk(HaCluster cluster, String nameNode) throws Exception {
        return NameNodeTalk.as(
                UserGroupInformation.getCurrentUser(), cluster.configuration(), cluster.rpcPort(nameNode));
    }

    /** A reply leaves out what earlier replies have predicted, and a NameNode that is still slow spreads a group over several. */
    private void assertPredictedAt(HaCluster cluster, String nameNode) {
        Set<String> predicted = new HashSet<>();
        eventually(() -> {
            try (NameNodeTalk talk = talk(cluster, nameNode)) {
                predicted.addAll(NameNodeTalk.paths(talk.open(order.get(0))));
            }
            assertThat(predicted).contains(order.get(1), order.get(2));
        });
    }

    private static void awaitInLog(HaCluster cluster, String process, String text) {
        eventually(() -> assertThat(Files.readString(cluster.log(process))).contains(text));
    }

    @Test
    void restartAndFailover_predictionsGoOn() throws Exception {
        try (HaCluster cluster = HaCluster.start(Map.of(
                "foresight.namenode.siblings.enabled", "false",
                "foresight.namenode.checkpoint.hdfs.path", CHECKPOINT,
                "foresight.namenode.checkpoint.interval", "2s"))) {
            awaitRead(cluster, "nn2", "nn1", learnAt(cluster, "nn1"));

            cluster.kill("nn1");
            cluster.transition("-transitionToActive", "--forceactive", "nn2");
            assertPredictedAt(cluster, "nn2");

            cluster.startNameNode("nn1");
            awaitInLog(cluster, "nn1", "Foresight has learned from");
            cluster.kill("nn2");
            eventually(() -> cluster.transition("-transitionToActive", "--forceactive", "nn1"));
            assertPredictedAt(cluster, "nn1");
        }
    }

    @Test
    void damagedCheckpoint_isRefusedAndTheNameNodeStarts() throws Exception {
        try (HaCluster cluster = HaCluster.start(Map.of("foresight.namenode.siblings.enabled", "false"))) {
            learnAt(cluster, "nn1");
            java.nio.file.Path kept = cluster.log("nn1").resolveSibling("nn1").resolve("foresight.graph");
            cluster.stop("nn1");
            assertThat(kept).as("written at the end").exists();
            byte[] bytes = Files.readAllBytes(kept);
            bytes[bytes.length / 2]++;
            Files.write(kept, bytes);
            cluster.startNameNode("nn1");
            awaitInLog(cluster, "nn1", "is refused: it is corrupt");
            eventually(() -> cluster.transition("-transitionToActive", "--forceactive", "nn1"));
            eventually(() -> {
                try (NameNodeTalk talk = talk(cluster, "nn1")) {
                    assertThat(NameNodeTalk.paths(talk.open(order.get(0)))).isEmpty();
                }
            });
        }
    }
}
