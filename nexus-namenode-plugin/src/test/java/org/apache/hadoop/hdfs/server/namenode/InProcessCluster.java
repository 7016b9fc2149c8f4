/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.awaitility.Awaitility;

/** A NameNode with one DataNode in this process, without Foresight's plugin. */
public final class InProcessCluster implements AutoCloseable {

    private final java.nio.file.Path folder;
    private final NameNode nameNode;
    private final DataNode dataNode;
    private final DistributedFileSystem fs;

    private InProcessCluster(
            java.nio.file.Path folder, NameNode nameNode, DataNode dataNode, DistributedFileSystem fs) {
        this.folder = folder;
        this.nameNode = nameNode;
        this.dataNode = dataNode;
        this.fs = fs;
    }

    /** Starts a cluster whose files belong to the user that runs the test, the superuser. */
    public static InProcessCluster start(Map<String, String> properties) throws IOException {
        DefaultMetricsSystem.setMiniClusterMode(true);
        java.nio.file.Path folder = Files.createTempDirectory("in-process-cluster");
        HdfsConfiguration conf = new HdfsConfiguration();
        conf.set("hadoop.tmp.dir", folder.toString());
        conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
        conf.set("dfs.namenode.http-address", "127.0.0.1:0");
        conf.set("dfs.datanode.address", "127.0.0.1:0");
        conf.set("dfs.datanode.ipc.address", "127.0.0.1:0");
        conf.set("dfs.datanode.http.address", "127.0.0.1:0");
        conf.set("dfs.namenode.safemode.extension", "0");
        conf.set("dfs.replication", "1");
        conf.set("fs.hdfs.impl.disable.cache", "true");
        properties.forEach(conf::set);
        NameNode.format(conf);
        NameNode nameNode = new NameNode(conf);
        conf.set(
                "fs.defaultFS",
                "hdfs://127.0.0.1:" + nameNode.getNameNodeAddress().getPort());
        DataNode dataNode = DataNode.createDataNode(new String[0], conf);
        DistributedFileSystem fs = (DistributedFileSystem) FileSystem.get(conf);
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .until(() -> !nameNode.isInSafeMode()
                        && nameNode.getNamesystem().getNumLiveDataNodes() == 1
                        && dataNode.isDatanodeFullyStarted());
        return new InProcessCluster(folder, nameNode, dataNode, fs);
    }

    public NameNode nameNode() {
        return nameNode;
    }

    public DistributedFileSystem fs() {
        return fs;
    }

    /** Writes a file of one block that holds its own path. */
    public void write(String path, String permission) throws IOException {
        Path file = new Path(path);
        try (FSDataOutputStream out = fs.create(file)) {
            out.write(path.getBytes(StandardCharsets.UTF_8));
        }
        fs.setPermission(file, new FsPermission(permission));
    }

    /** Makes a directory of the superuser's. */
    public void mkdirs(String path, String permission) throws IOException {
        fs.mkdirs(new Path(path));
        fs.setPermission(new Path(path), new FsPermission(permission));
    }

    long firstBlock(String path) throws IOException {
        return nameNode.getNamesystem()
                .getBlockLocations("127.0.0.1", path, 0, 1)
                .get(0)
                .getBlock()
                .getBlockId();
    }

    static UserGroupInformation user(String name, String... groups) {
        return UserGroupInformation.createUserForTesting(name, groups);
    }

    @Override
    public void close() throws IOException {
        fs.close();
        dataNode.shutdown();
        nameNode.stop();
        nameNode.join();
        FileUtil.fullyDelete(folder.toFile());
    }
}
