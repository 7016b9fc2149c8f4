/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import io.github.foresight.cluster.Installation;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The class path of a JVM in which Hadoop's own test classes start daemons with all features of Foresight enabled. */
final class HadoopJvm {

    private static final List<String> PARTS = List.of("namenode", "datanode", "placement", "client");
    private static final List<String> TEST_LIBRARIES = List.of(
            "junit",
            "opentest4j",
            "apiguardian",
            "hamcrest",
            "mockito-core",
            "byte-buddy",
            "objenesis",
            "test-classes");

    private HadoopJvm() {}

    /** Returns the class path: the configuration, the release's jars, Hadoop with its tests, and JUnit. A stock run has no jars of the release. */
    static String classpath(Path work, boolean withForesight) throws IOException {
        Path release = Path.of(System.getProperty("foresight.release")).toRealPath();
        Map<String, String> conf = new TreeMap<>();
        List<String> entries = new ArrayList<>(List.of(work.toString()));
        for (String part : withForesight ? PARTS : List.<String>of()) {
            Path jar = release.resolve("lib/foresight-" + part + ".jar");
            entries.add(jar.toString());
            conf.putAll(Installation.of(jar, release.resolve("conf/foresight-" + part + ".xml"))
                    .conf());
        }
        if (withForesight) {
            // Some of Hadoop's tests use a DFSClient without a file system.
            conf.put(
                    "dfs.client.failover.proxy.provider.localhost",
                    "io.github.foresight.client.ForesightProxyProvider");
            conf.put("dfs.client.replica.accessor.builder.classes", "io.github.foresight.client.ReadObserver");
            conf.put("foresight.namenode.graph.capacity", "8m");
            conf.put("foresight.datanode.cache.capacity", "16m");
        }
        // The test configuration of Hadoop's own build has the same value.
        conf.put("dfs.namenode.fs-limits.min-block-size", "0");
        Files.writeString(
                work.resolve("hdfs-site.xml"),
                conf.entrySet().stream()
                        .map(property -> "<property><name>" + property.getKey() + "</name><value>" + property.getValue()
                                + "</value></property>")
                        .collect(Collectors.joining("\n", "<configuration>\n", "\n</configuration>\n")));
        entries.add(Files.readString(Path.of(System.getProperty("foresight.hadoop.classpath.file")))
                .trim());
        entries.add(System.getProperty("foresight.hadoop.assertj"));
        String own = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String entry : own.split(File.pathSeparator, -1)) {
            String name = Path.of(entry).getFileName().toString();
            if (TEST_LIBRARIES.stream().anyMatch(name::startsWith)) {
                entries.add(entry);
            }
        }
        return String.join(File.pathSeparator, entries);
    }
}
