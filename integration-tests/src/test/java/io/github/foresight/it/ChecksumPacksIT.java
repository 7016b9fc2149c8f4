/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.eventually;
import static io.github.foresight.it.TestCluster.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.cluster.Installation;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checksum packs on a real DataNode: they are used, and they never disturb HDFS. */
final class ChecksumPacksIT {

    private static final int FILES = 60;
    private static final int SMALL = 20_000;
    private static final Pattern SCAN =
            Pattern.compile("Total blocks: (\\d+), missing metadata files: (\\d+), missing block"
                    + " files: (\\d+), missing blocks in memory: (\\d+), mismatched blocks: (\\d+)");

    private static TestCluster cluster;
    private static DistributedFileSystem fs;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(
                "packs",
                1,
                Map.of(
                        "foresight.datanode.cache.capacity", "16m",
                        "foresight.datanode.packs.delay.time", "200ms"),
                Map.of(
                        "dfs.replication",
                        "1",
                        "dfs.datanode.directoryscan.interval",
                        "2",
                        // At the default rate the scanner pauses for a minute or two just before the last blocks.
                        "dfs.block.scanner.volume.bytes.per.second",
                        String.valueOf(100 << 20)));
        fs = cluster.stockClient();
    }

    @AfterAll
    static void stop() throws Exception {
        fs.close();
        cluster.close();
    }

    @Test
    void smallFiles_afterARestart_areReadFromPacksWhateverBecomesOfThese() throws Exception {
        Map<String, Long> files = new TreeMap<>();
        for (int i = 0; i < FILES; i++) {
            files.put("/small" + i, write("/small" + i, SMALL + i));
        }
        eventually(() -> assertThat(cluster.metric("PackedBlocks")).isGreaterThanOrEqualTo(FILES));
        restart(cluster.dataNodeInstallation());
        readAll(files);
        eventually(() -> assertThat(cluster.metric("PackHits")).isEqualTo(FILES));
        assertThat(cluster.metric("PacksRead")).isLessThan(FILES / 10);

        Map<Path, byte[]> older = new TreeMap<>();
        for (Path pack : packs()) {
            older.put(pack, Files.readAllBytes(pack));
        }
        assertThat(older).isNotEmpty();

        // Makes an older generation stamp in a pack: the block is appended to after its packing.
        CRC32C crc = new CRC32C();
        crc.update(bytes("/small0", SMALL));
        try (OutputStream out = fs.append(new org.apache.hadoop.fs.Path("/small0"))) {
            byte[] more = bytes("more", 777);
            out.write(more);
            crc.update(more);
        }
        files.put("/small0", crc.getValue());
        fs.delete(new org.apache.hadoop.fs.Path("/small1"), false);
        files.remove("/small1");
        readAll(files);

        // Restores the older packs, as a restored disk would. The older packs describe an older state of a block, and a
        // deleted block.
        restart(Installation.STOCK);
        readAll(files);
        fsckIsHealthy();
        for (Map.Entry<Path, byte[]> pack : older.entrySet()) {
            Files.write(pack.getKey(), pack.getValue());
        }
        restart(cluster.dataNodeInstallation());
        readAll(files);
        fsckIsHealthy();

        // Cuts packs at several places: no header, half a header, no record, in a record's head, in its metadata, in
        // its checksum. Then the packs hold garbage, and then they are deleted.
        List<Path> packs = packs();
        for (int cut : new int[] {0, 4, 8, 8 + 17, 8 + 32 + 50, -1, -SMALL / 512 * 4}) {
            for (Path pack : packs) {
                byte[] whole = older.get(pack);
                Files.write(pack, Arrays.copyOf(whole, cut < 0 ? whole.length + cut : cut));
            }
            restart(cluster.dataNodeInstallation());
            readAll(files);
        }
        fsckIsHealthy();
        for (Path pack : packs) {
            Files.write(pack, bytes("garbage", 5000));
        }
        restart(cluster.dataNodeInstallation());
        readAll(files);
        for (Path pack : packs) {
            Files.delete(pack);
        }
        readAll(files);

        // The packs are written again, and neither scanner reports an error.
        eventually(() -> assertThat(packs()).isNotEmpty());
        directoryScannerFindsNothingStrange();
        blockScannerFindsAllWell(files.size());
        restart(Installation.STOCK);
        directoryScannerFindsNothingStrange();
        readAll(files);
        fsckIsHealthy();
        restart(cluster.dataNodeInstallation());
        readAll(files);
        assertThat(cluster.metric("InternalErrors")).isZero();
    }

    private static void fsckIsHealthy() {
        Configuration conf = cluster.clientConf();
        conf.set(
                "dfs.namenode.http-address",
                "127.0.0.1:" + cluster.processes().nameNode().httpPort());
        eventually(() ->
                assertThat(ToolRunner.run(new DFSck(conf), new String[] {"/"})).isZero());
    }

    /** Has the block scanner begin with the first block. The scanner remembers its position over a restart, so its cursor is deleted. */
    private static void blockScannerFindsAllWell(int blocks) throws Exception {
        cluster.processes().dataNodes().get(0).stop();
        for (Path cursor : files("scanner.cursor")) {
            Files.delete(cursor);
        }
        cluster.processes().restartDataNode(0, cluster.dataNodeInstallation());
        eventually(() -> {
            var activity =
                    cluster.processes().dataNodes().get(0).bean("Hadoop:service=DataNode,name=DataNodeActivity*");
            assertThat(activity.path("BlocksVerified").asLong()).isGreaterThanOrEqualTo(blocks);
            assertThat(activity.path("BlockVerificationFailures").asLong(-1)).isZero();
        });
    }

    private static void directoryScannerFindsNothingStrange() {
        eventually(() -> {
            Matcher scan = SCAN.matcher(
                    Files.readString(cluster.processes().dataNodes().get(0).log()));
            List<String> last = List.of();
            while (scan.find()) {
                last = List.of(scan.group(2), scan.group(3), scan.group(4), scan.group(5));
            }
            assertThat(last).as("the last scan").containsExactly("0", "0", "0", "0");
        });
    }

    private static void restart(Installation installation) throws Exception {
        cluster.processes().restartDataNodes(installation);
    }

    private static void readAll(Map<String, Long> files) throws IOException {
        for (Map.Entry<String, Long> file : files.entrySet()) {
            assertThat(read(fs, file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
        }
    }

    private static long write(String path, int length) throws IOException {
        byte[] content = bytes(path, length);
        try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path(path))) {
            out.write(content);
        }
        CRC32C crc = new CRC32C();
        crc.update(content);
        return crc.getValue();
    }

    private static byte[] bytes(String seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed.hashCode()).nextBytes(bytes);
        return bytes;
    }

    private static List<Path> packs() throws IOException {
        return files("foresight.pack");
    }

    private static List<Path> files(String name) throws IOException {
        Path data = cluster.processes().workDir().resolve("datanode0").resolve("data");
        try (Stream<Path> all = Files.find(
                data, 20, (file, attributes) -> file.getFileName().toString().equals(name))) {
            return new ArrayList<>(all.collect(Collectors.toList()));
        }
    }
}
