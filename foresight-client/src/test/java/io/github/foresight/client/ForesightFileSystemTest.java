/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.client.namenode.LeasingNameNode;
import io.github.foresight.client.stream.ForesightInputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.statistics.IOStatisticsSupport;
import org.apache.hadoop.fs.statistics.StoreStatisticNames;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that is installed by the name of the file system alone. */
class ForesightFileSystemTest {

    private static final Path FILE = new Path("/a");
    private static final Path NEXT = new Path("/b");

    private LeasingNameNode nameNode;
    private final Configuration conf = new Configuration();

    @BeforeEach
    void start() throws IOException {
        nameNode = LeasingNameNode.start(Duration.ofMinutes(2));
        conf.set("fs.hdfs.impl", ForesightFileSystem.class.getName());
        conf.set("fs.AbstractFileSystem.hdfs.impl", ForesightFs.class.getName());
        conf.setLong("dfs.blocksize", 512);
        conf.set("foresight.client.lease", "5m");
    }

    @AfterEach
    void stop() throws IOException {
        nameNode.close();
    }

    private URI uri() {
        return URI.create("hdfs://localhost:" + nameNode.port());
    }

    private FileSystem fileSystem() throws IOException {
        return FileSystem.newInstance(uri(), conf);
    }

    @Test
    void fileSystem_byOneProperty_opensAndShowsPredictedFilesFromMemory() throws IOException {
        nameNode.predict("/b");
        try (FileSystem fs = fileSystem()) {
            assertThat(fs).isInstanceOf(DistributedFileSystem.class);
            fs.open(FILE).close();
            fs.open(NEXT).close();
            assertThat(fs.getFileStatus(NEXT).isFile()).isTrue();
            assertThat(nameNode.opens()).isEqualTo(1);
            assertThat(nameNode.statuses()).isZero();
        }
    }

    @Test
    void firstOpenOfAFileSystem_isStockHdfss_andTheNextIsCached() throws IOException {
        conf.setInt("foresight.client.metadata.after", 1);
        nameNode.predict("/b");
        try (FileSystem fs = fileSystem()) {
            fs.open(FILE).close();
            fs.open(FILE).close();
            assertThat(nameNode.opens()).isEqualTo(2);
            fs.open(FILE).close();
            fs.open(NEXT).close();
            assertThat(nameNode.opens()).isEqualTo(2);
        }
    }

    @Test
    void allBlocks_ofAStreamOpenedFromMemory_areAskedOfTheNameNode() throws IOException {
        nameNode.predict("/b");
        try (FileSystem fs = fileSystem()) {
            fs.open(FILE).close();
            try (HdfsDataInputStream in = (HdfsDataInputStream) fs.open(NEXT)) {
                assertThat(nameNode.opens()).isEqualTo(1);
                assertThat(in.getAllBlocks()).hasSize(1);
                assertThat(nameNode.opens()).isEqualTo(2);
            }
        }
    }

    @Test
    void statistics_showOpensAndThoseFromMemory() throws IOException {
        nameNode.predict("/b");
        try (FileSystem fs = fileSystem()) {
            fs.open(FILE).close();
            fs.open(NEXT).close();
            assertThat(IOStatisticsSupport.retrieveIOStatistics(fs).counters())
                    .containsEntry(StoreStatisticNames.OP_OPEN, 2L)
                    .containsEntry("foresight_opens_served", 1L);
        }
    }

    @Test
    void configuration_isTheApplicationsOwn() throws IOException {
        try (FileSystem fs = fileSystem()) {
            assertThat(fs.getConf()).isSameAs(conf);
            assertThat(conf.get("dfs.client.failover.proxy.provider.localhost")).isNull();
        }
    }

    @Test
    void streams_areHdfss() throws IOException {
        try (FileSystem fs = fileSystem();
                FSDataInputStream in = fs.open(FILE)) {
            assertThat(in).isInstanceOf(HdfsDataInputStream.class);
            assertThat(in.hasCapability("in:readvectored")).isTrue();
            assertThat(in.hasCapability("in:readahead")).isTrue();
        }
    }

    @Test
    void badValue_leavesTheFileSystemToHdfs() throws IOException {
        conf.set("foresight.client.vectored.threads", "many");
        try (FileSystem fs = fileSystem();
                FSDataInputStream in = fs.open(FILE)) {
            assertThat(in).isNotInstanceOf(ForesightInputStream.class);
        }
    }

    @Test
    void fileContext_sharesTheLease_andChangesInOneRequest() throws IOException {
        nameNode.predict("/b");
        try (FileSystem fs = fileSystem()) {
            FileContext context = FileContext.getFileContext(uri(), conf);
            context.open(FILE).close();
            context.open(NEXT).close();
            assertThat(nameNode.opens()).isEqualTo(1);

            long before = context.getFileStatus(NEXT).getModificationTime();
            fs.open(FILE).close();
            context.rename(FILE, NEXT, Rename.OVERWRITE);
            assertThat(fs.getFileStatus(NEXT).getModificationTime()).isNotEqualTo(before);
            assertThat(nameNode.calls("delete")).isZero();
            assertThat(nameNode.calls("rename2")).isEqualTo(1);
        }
    }
}
