/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.BLOCK;
import static io.github.foresight.it.TestCluster.eventually;
import static io.github.foresight.it.TestCluster.read;
import static io.github.foresight.it.TestCluster.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.foresight.cluster.ClientProcess;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.statistics.IOStatisticsSupport;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A client with Foresight installed only by the class name of its file system, and applications' uses of the client. */
final class ForesightFileSystemIT {

    private static final int FILES = 60;
    private static final int GUARD_SECONDS = 60;

    private static TestCluster cluster;
    private static FileSystem stock;
    private static Configuration conf;

    @BeforeAll
    static void start() throws Exception {
        // No session ends by its idle time within a test, so a session that ends was released.
        cluster = TestCluster.start(
                "file-system",
                2,
                Map.of("foresight.datanode.sessions.idle.time", "10m"),
                Map.of("dfs.replication", "1"));
        stock = cluster.stockClient();
        conf = cluster.clientConf();
        conf.set("fs.hdfs.impl", "io.github.foresight.client.ForesightFileSystem");
        conf.set("fs.AbstractFileSystem.hdfs.impl", "io.github.foresight.client.ForesightFs");
    }

    @AfterAll
    static void stop() throws Exception {
        stock.close();
        cluster.close();
    }

    private static long requests(String counter) throws IOException {
        return cluster.processes()
                .nameNode()
                .bean("Hadoop:service=NameNode,name=NameNodeActivity")
                .path(counter)
                .asLong();
    }

    @Test
    void sequentialReader_isReadAhead() throws Exception {
        long written = write(stock, "/ahead", 8, (short) 1);
        cluster.coolDown();
        long before = cluster.hintedBytesInMemory();
        try (FileSystem fs = FileSystem.newInstance(conf)) {
            assertThat(read(
                            fs,
                            "/ahead",
                            BLOCK,
                            () -> eventually(() ->
                                    assertThat(cluster.hintedBytesInMemory()).isGreaterThan(before))))
                    .isEqualTo(written);
        }
    }

    @Test
    void readsByPositionInSequence_areReadAhead_andTheHintsEndWithTheStream() throws Exception {
        write(stock, "/positions", 8, (short) 1);
        byte[] content = new byte[8 * BLOCK];
        try (FSDataInputStream in = stock.open(new Path("/positions"))) {
            in.readFully(content);
        }
        cluster.coolDown();
        long before = cluster.metric("PrefetchedBytes");
        long sessionsBefore = cluster.metric("Sessions");
        byte[] piece = new byte[128 << 10];
        try (FileSystem fs = FileSystem.newInstance(conf);
                FSDataInputStream in = fs.open(new Path("/positions"))) {
            for (int at = 0; at < 2 * BLOCK; at += piece.length) {
                in.readFully(at, piece);
                assertThat(piece).isEqualTo(Arrays.copyOfRange(content, at, at + piece.length));
            }
            eventually(() -> assertThat(cluster.metric("PrefetchedBytes")).isGreaterThanOrEqualTo(before + 2L * BLOCK));
            assertThat(cluster.metric("Sessions")).isGreaterThan(sessionsBefore);
        }
        eventually(() -> assertThat(cluster.metric("Sessions")).isEqualTo(sessionsBefore));
    }

    @Test
    void statusAndOpen_inAnOrderSeenBefore_seldomAskTheNameNode() throws Exception {
        List<Path> order = new ArrayList<>();
        Random random = new Random(7);
        for (int i = 0; i < FILES; i++) {
            Path path = new Path("/order/f" + Long.toHexString(random.nextLong()) + "x");
            try (FSDataOutputStream out = stock.create(path)) {
                out.write(path.toString().getBytes(StandardCharsets.UTF_8));
            }
            order.add(path);
        }
        try (FileSystem first = FileSystem.newInstance(conf)) {
            showAndRead(first, order);
        }
        long opens = cluster.opensAtNameNode();
        long statuses = requests("FileInfoOps");
        try (FileSystem second = FileSystem.newInstance(conf)) {
            showAndRead(second, order);
        }
        long opened = cluster.opensAtNameNode() - opens;
        long shown = requests("FileInfoOps") - statuses;
        assertThat(opened + shown).as("%s opens and %s statuses", opened, shown).isLessThan(FILES * 2 * 3 / 10);
    }

    private static void showAndRead(FileSystem fs, List<Path> paths) throws IOException {
        for (Path path : paths) {
            byte[] expected = path.toString().getBytes(StandardCharsets.UTF_8);
            assertThat(fs.getFileStatus(path).getLen()).isEqualTo(expected.length);
            try (InputStream in = fs.open(path)) {
                assertThat(in.readAllBytes()).isEqualTo(expected);
            }
        }
    }

    @Test
    void statusChangedByAnother_isSeenAtOnce() throws Exception {
        Path path = new Path("/status/f");
        try (FSDataOutputStream out = stock.create(path)) {
            out.write(1);
        }
        Path next = new Path("/status/g");
        try (FSDataOutputStream out = stock.create(next)) {
            out.write(1);
        }
        try (FileSystem fs = FileSystem.newInstance(conf)) {
            for (long round = 1; round <= 20; round++) {
                showAndOpen(fs, path, next);
                stock.setTimes(next, round, -1);
                assertThat(fs.getFileStatus(next).getModificationTime()).isEqualTo(round);
            }
            stock.delete(next, false);
            assertThat(fs.exists(next)).isFalse();
        }
    }

    private static void showAndOpen(FileSystem fs, Path... paths) throws IOException {
        for (Path path : paths) {
            fs.getFileStatus(path);
            fs.open(path).close();
        }
    }

    @Test
    void vectoredRead_readsFromAllReplicasOfABlock_andFromTheLastThatIsLeft() throws Exception {
        write(stock, "/replicas", 1, (short) 2);
        byte[] content = new byte[BLOCK];
        try (FSDataInputStream in = stock.open(new Path("/replicas"))) {
            in.readFully(content);
        }
        try (FileSystem fs = FileSystem.newInstance(conf);
                FSDataInputStream in = fs.open(new Path("/replicas"))) {
            List<Long> before = cluster.bytesRead();
            long ranges = assertRanges(in, content);
            HdfsDataInputStream hdfs = (HdfsDataInputStream) in;
            assertThat(hdfs.getReadStatistics().getTotalBytesRead()).isEqualTo(ranges);
            hdfs.clearReadStatistics();
            assertThat(hdfs.getReadStatistics().getTotalBytesRead()).isZero();
            eventually(() -> {
                List<Long> after = cluster.bytesRead();
                for (int node = 0; node < before.size(); node++) {
                    assertThat(after.get(node))
                            .as("bytes read from each DataNode")
                            .isGreaterThan(before.get(node));
                }
            });

            cluster.processes().dataNodes().get(0).kill();
            try {
                assertRanges(in, content);
            } finally {
                cluster.processes().restartDataNode(0, cluster.dataNodeInstallation());
            }

            in.setDropBehind(true);
            hdfs.clearReadStatistics();
            assertThat(hdfs.getReadStatistics().getTotalBytesRead()).isZero();
            assertThat(assertRanges(in, content))
                    .as("read by the stream whose caching is set")
                    .isEqualTo(hdfs.getReadStatistics().getTotalBytesRead());
        }
    }

    /** Returns the bytes of the ranges. */
    private static long assertRanges(FSDataInputStream in, byte[] content) throws Exception {
        List<FileRange> ranges = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            ranges.add(FileRange.createFileRange(i * 800_000L, 50_000 + i));
        }
        in.readVectored(ranges, ByteBuffer::allocate);
        for (FileRange range : ranges) {
            ByteBuffer expected = ByteBuffer.wrap(content, (int) range.getOffset(), range.getLength());
            assertThat(range.getData().get(GUARD_SECONDS, TimeUnit.SECONDS)).isEqualTo(expected);
        }
        return ranges.stream().mapToLong(FileRange::getLength).sum();
    }

    @Test
    void vectoredRead_bringsEachRange_acrossBlocksToo() throws Exception {
        write(stock, "/vectored", 3, (short) 1);
        byte[] content = new byte[3 * BLOCK];
        try (FSDataInputStream in = stock.open(new Path("/vectored"))) {
            in.readFully(content);
        }
        try (FileSystem fs = FileSystem.newInstance(conf);
                FSDataInputStream in = fs.open(new Path("/vectored"))) {
            List<FileRange> ranges = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                ranges.add(FileRange.createFileRange(i * 600_000L, 50_000 + i));
            }
            ranges.add(FileRange.createFileRange(content.length - 10, 10));
            in.readVectored(ranges, ByteBuffer::allocateDirect);
            for (FileRange range : ranges) {
                ByteBuffer expected = ByteBuffer.wrap(content, (int) range.getOffset(), range.getLength());
                assertThat(range.getData().get(GUARD_SECONDS, TimeUnit.SECONDS)).isEqualTo(expected);
            }

            assertThat(IOStatisticsSupport.retrieveIOStatistics(in).counters())
                    .containsEntry(StreamStatisticNames.STREAM_READ_VECTORED_OPERATIONS, 1L)
                    .containsEntry(StreamStatisticNames.STREAM_READ_VECTORED_INCOMING_RANGES, 41L)
                    .containsEntry(
                            StreamStatisticNames.STREAM_READ_BYTES,
                            ranges.stream().mapToLong(FileRange::getLength).sum());

            FileRange beyond = FileRange.createFileRange(content.length - 10, 11);
            in.readVectored(List.of(beyond), ByteBuffer::allocate);
            assertThatThrownBy(() -> beyond.getData().get(GUARD_SECONDS, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(EOFException.class);
        }
    }

    @Test
    void vectoredRead_ofAStreamThatIsClosed_failsItsRanges() throws Exception {
        write(stock, "/closed", 1, (short) 1);
        try (FileSystem fs = FileSystem.newInstance(conf)) {
            FSDataInputStream in = fs.open(new Path("/closed"));
            in.close();
            FileRange range = FileRange.createFileRange(0, 10);
            in.readVectored(List.of(range), ByteBuffer::allocate);
            assertThatThrownBy(() -> range.getData().get(GUARD_SECONDS, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("closed");
        }
    }

    @Test
    void shell_doesWhatItDoes() throws Exception {
        try (FSDataOutputStream out = stock.create(new Path("/shell/f"))) {
            out.write("hello".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(shell("-cat", "/shell/f")).isEqualTo("hello");
        assertThat(shell("-cp", "/shell/f", "/shell/g")).isEmpty();
        assertThat(shell("-mv", "/shell/g", "/shell/h")).isEmpty();
        assertThat(shell("-ls", "-C", "/shell")).isEqualTo("/shell/f\n/shell/h\n");
        assertThat(shell("-checksum", "/shell/h")).contains("MD5-of-0MD5-of-512CRC32C");
        assertThat(shell("-rm", "-skipTrash", "/shell/h")).contains("Deleted /shell/h");
    }

    private static String shell(String... command) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
        try {
            assertThat(ToolRunner.run(new FsShell(new Configuration(conf)), command))
                    .as(String.join(" ", command))
                    .isZero();
        } finally {
            System.setOut(before);
        }
        return output.toString(StandardCharsets.UTF_8);
    }

    @Test
    void distCp_copies_andLeavesWhatIsThere() throws Exception {
        long first = write(stock, "/copy/from/a", 3, (short) 1);
        long second = write(stock, "/copy/from/b", 1, (short) 1);
        long hintsBefore = cluster.metric("Hints");

        distCp("-pb", "/copy/from", "/copy/to");

        assertThat(read(stock, "/copy/to/a")).isEqualTo(first);
        assertThat(read(stock, "/copy/to/b")).isEqualTo(second);
        assertThat(cluster.metric("Hints")).isGreaterThan(hintsBefore);

        write(stock, "/copy/from/c", 1, (short) 1);
        List<LocatedBlock> copied = TestCluster.blocks(stock, "/copy/to/a");
        distCp("-pb", "-update", "/copy/from", "/copy/to");

        assertThat(stock.exists(new Path("/copy/to/c"))).isTrue();
        assertThat(TestCluster.blocks(stock, "/copy/to/a"))
                .extracting(LocatedBlock::getBlock)
                .isEqualTo(copied.stream().map(LocatedBlock::getBlock).toList());
    }

    /** Runs Hadoop's DistCp as a process of its own, as a MapReduce job in that process. */
    private static void distCp(String... arguments) throws Exception {
        java.nio.file.Path work = cluster.processes().workDir().resolve("distcp");
        List<String> classpath = List.of(
                System.getProperty("foresight.release") + "/lib/foresight-client.jar",
                System.getProperty("foresight.mapreduce.jars") + "/*",
                Files.readString(java.nio.file.Path.of(System.getProperty("foresight.hadoop.classpath.file")))
                        .trim());
        List<String> command = new ArrayList<>(List.of(
                java.nio.file.Path.of(System.getProperty("java.home"), "bin", "java")
                        .toString(),
                "-Xmx256m",
                "-cp",
                String.join(File.pathSeparator, classpath),
                "org.apache.hadoop.tools.DistCp",
                "-Dfs.defaultFS=" + cluster.processes().uri(),
                "-Dfs.hdfs.impl=" + conf.get("fs.hdfs.impl"),
                "-Ddfs.replication=1",
                "-Dmapreduce.framework.name=local",
                "-Dhadoop.tmp.dir=" + work,
                "-Dyarn.app.mapreduce.am.staging-dir=" + work.resolve("staging")));
        command.addAll(List.of(arguments));
        ClientProcess.run(command, work.resolveSibling("distcp.log"), Duration.ofSeconds(GUARD_SECONDS), "DistCp");
    }

    @Test
    void fileContext_hasHdfssOperations() throws Exception {
        FileContext context = FileContext.getFileContext(conf);
        Path directory = new Path("/context");
        Path file = new Path(directory, "f");
        assertThatThrownBy(() -> context.create(file, EnumSet.of(CreateFlag.CREATE)))
                .isInstanceOf(IOException.class);
        context.mkdir(directory, null, true);
        try (FSDataOutputStream out = context.create(file, EnumSet.of(CreateFlag.CREATE))) {
            out.write(1);
        }
        assertThatThrownBy(() -> context.create(new Path(file, "child"), EnumSet.of(CreateFlag.CREATE)))
                .isInstanceOf(ParentNotDirectoryException.class);
        try (FSDataInputStream in = context.open(file)) {
            assertThat(in).isInstanceOf(HdfsDataInputStream.class);
            assertThat(in.read()).isEqualTo(1);
        }
        Path other = new Path(directory, "g");
        try (FSDataOutputStream out = context.create(other, EnumSet.of(CreateFlag.CREATE))) {
            out.write(2);
        }
        assertThatThrownBy(() -> context.rename(file, other)).isInstanceOf(IOException.class);
        context.rename(file, other, Rename.OVERWRITE);
        RemoteIterator<LocatedFileStatus> located = context.listLocatedStatus(directory);
        assertThat(located.next().getBlockLocations()).hasSize(1);
        assertThat(located.hasNext()).isFalse();

        context.modifyAclEntries(other, AclEntry.parseAclSpec("user:other:r--", true));
        assertThat(context.getAclStatus(other).getEntries()).isNotEmpty();
        context.setXAttr(other, "user.a", new byte[] {3}, EnumSet.of(XAttrSetFlag.CREATE));
        assertThat(context.getXAttr(other, "user.a")).containsExactly(3);
        assertThat(context.getStoragePolicy(other).getName()).isEqualTo("HOT");
        assertThat(context.getFileChecksum(other)).isNotNull();
    }

    @Test
    void viewFileSystem_opensItsLinksWithForesight() throws Exception {
        try (FSDataOutputStream out = stock.create(new Path("/viewed/f"))) {
            out.write(5);
        }
        Configuration view = new Configuration(conf);
        view.set("fs.viewfs.mounttable.default.link./data", cluster.processes().uri() + "/viewed");
        try (FileSystem fs = FileSystem.newInstance(new Path("viewfs:///").toUri(), view);
                FSDataInputStream in = fs.open(new Path("/data/f"))) {
            assertThat(in.hasCapability("in:readvectored")).isTrue();
            assertThat(in.read()).isEqualTo(5);
        }
    }
}
