/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointsTest {

    @TempDir
    private Path folder;

    /** The shared file is in the local file system, where HDFS's rename is not to be had: that it is begun is what counts. */
    @Test
    void whatWasLearnedAsStandby_goesToTheSharedFileOnceActive() throws IOException {
        Path local = folder.resolve("local");
        Path shared = folder.resolve("shared");
        NameNodeSettings settings = NameNodeSettings.read(Map.of(
                "foresight.namenode.graph.capacity",
                "1m",
                "foresight.namenode.checkpoint.interval",
                "1s",
                "foresight.namenode.checkpoint.file",
                local.toString(),
                "foresight.namenode.checkpoint.hdfs.path",
                shared.toString())::get);
        AccessLearner learner = new AccessLearner(settings, unused -> {});
        learner.recordLater(new ClientSession(0, 2, Long.MAX_VALUE, 0), 7, 0);
        AtomicInteger looks = new AtomicInteger();
        NameNodeMetrics metrics = new NameNodeMetrics();
        Configuration conf = new Configuration(false);
        conf.set("fs.defaultFS", "file:///");
        try (Checkpoints checkpoints =
                new Checkpoints(settings, learner, "BP", () -> looks.getAndIncrement() > 0, conf, metrics)) {
            checkpoints.start();
            Awaitility.await().atMost(30, TimeUnit.SECONDS).until(() -> Files.exists(folder.resolve("shared.new")));
            assertThat(local).exists();
            assertThat(looks).hasValueGreaterThan(1);
        }
    }
}
