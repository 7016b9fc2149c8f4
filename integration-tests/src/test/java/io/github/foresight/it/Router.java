/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import io.github.foresight.cluster.FreePorts;
import io.github.foresight.protocol.conf.HadoopXml;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.net.StandardSocketFactory;

/** A stock router of router-based federation in front of a cluster's NameNode. */
final class Router implements AutoCloseable {

    private static final String NAMESERVICE = "ns1";

    private final int port;
    private final Process process;

    /** Starts a router that sends every path to the cluster. */
    static Router start(TestCluster cluster) throws IOException {
        int port = FreePorts.pick();
        Path folder = Files.createDirectories(cluster.processes().workDir().resolve("router"))
                .toAbsolutePath();
        String router = "dfs.federation.router.";
        Map<String, String> conf = new LinkedHashMap<>();
        conf.put("dfs.nameservices", NAMESERVICE);
        conf.put(
                "dfs.namenode.rpc-address." + NAMESERVICE,
                URI.create(cluster.processes().uri()).getAuthority());
        conf.put(
                "dfs.namenode.http-address." + NAMESERVICE,
                "127.0.0.1:" + cluster.processes().nameNode().httpPort());
        conf.put(router + "rpc-address", "127.0.0.1:" + port);
        conf.put(router + "rpc-bind-host", "127.0.0.1");
        conf.put(router + "admin.enable", "false");
        conf.put(router + "http.enable", "false");
        conf.put(router + "quota.enable", "false");
        conf.put(router + "safemode.enable", "false");
        conf.put(router + "default.nameserviceId", NAMESERVICE);
        conf.put(router + "monitor.localnamenode.enable", "false");
        conf.put(router + "monitor.namenode", NAMESERVICE);
        conf.put(router + "heartbeat.interval", "1000");
        conf.put(router + "cache.ttl", "1s");
        conf.put(
                router + "store.driver.class",
                "org.apache.hadoop.hdfs.server.federation.store.driver.impl.StateStoreFileImpl");
        conf.put(
                router + "store.driver.file.directory",
                Files.createDirectories(folder.resolve("store")).toString());
        HadoopXml.write(folder.resolve("core-site.xml"), Map.of("fs.defaultFS", "hdfs://127.0.0.1:" + port));
        HadoopXml.write(folder.resolve("hdfs-rbf-site.xml"), conf);
        HadoopXml.write(folder.resolve("hdfs-site.xml"), conf);
        Files.writeString(folder.resolve("log4j.properties"), HaCluster.LOG4J);
        String classpath = Files.readString(Path.of(System.getProperty("foresight.router.classpath.file")))
                .trim();
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        folder + File.pathSeparator + classpath,
                        "org.apache.hadoop.hdfs.server.federation.router.DFSRouter"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("router.log").toFile())
                .start();
        Router started = new Router(port, process);
        try {
            TestCluster.eventually(() -> {
                if (!process.isAlive()) {
                    throw new IllegalStateException("the router has ended: see " + folder.resolve("router.log"));
                }
                try (FileSystem fs = started.client(cluster.clientConf(), StandardSocketFactory.class)) {
                    fs.listStatus(new org.apache.hadoop.fs.Path("/"));
                }
            });
        } catch (Throwable e) {
            started.close();
            throw e;
        }
        return started;
    }

    private Router(int port, Process process) {
        this.port = port;
        this.process = process;
    }

    /** Makes a client of the cluster through the router. A client with a separate socket factory has a separate RPC client id. */
    FileSystem client(Configuration conf, Class<? extends SocketFactory> factory) throws IOException {
        Configuration routed = new Configuration(conf);
        routed.set("hadoop.rpc.socket.factory.class.default", factory.getName());
        routed.setInt("ipc.client.connect.max.retries", 0);
        return FileSystem.newInstance(URI.create("hdfs://127.0.0.1:" + port), routed);
    }

    @Override
    public void close() {
        ProcessEnd.of(process);
    }
}
