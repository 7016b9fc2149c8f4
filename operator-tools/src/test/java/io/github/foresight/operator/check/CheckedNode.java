/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;

/** A node with a configuration, a class path and limits of a test's own, and the check's findings about the node. */
abstract class CheckedNode {

    static final String CLASSPATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    static final String FACTORY = "dfs.datanode.fsdataset.factory";
    static final String OBSERVERS = "dfs.client.replica.accessor.builder.classes";
    static final String PROVIDER = "dfs.client.failover.proxy.provider.";
    static final String FORESIGHT_FACTORY =
            "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ForesightDatasetFactory";
    static final DaemonJava JAVA_17 = new DaemonJava(17, "/jdk17");
    static final LockLimit NO_LIMIT = new LockLimit("hdfs", 16L << 30, 16L << 30);
    static final String POLICY_KEY = "dfs.block.replicator.classname";
    static final String POLICY = "io.github.foresight.placement.OrthogonalPlacementPolicy";

    @TempDir
    Path temporary;

    List<Finding> check(NodeRole role, Map<String, String> properties) throws IOException {
        return check(role, CLASSPATH, JAVA_17, NO_LIMIT, new NodeConfiguration(properties, name -> null));
    }

    List<Finding> check(NodeRole role, String key, String value) throws IOException {
        return check(role, CLASSPATH, JAVA_17, NO_LIMIT, configuration(key, value));
    }

    List<Finding> check(String classpath, DaemonJava java, LockLimit limit) throws IOException {
        return check(NodeRole.NAMENODE, classpath, java, limit, configuration("dfs.replication", "3"));
    }

    List<Finding> check(
            NodeRole role, String classpath, DaemonJava java, LockLimit limit, NodeConfiguration configuration)
            throws IOException {
        try (NodeClasses classes = NodeClasses.of(classpath, temporary.resolve("no-lib"))) {
            return new NodeCheck(configuration, classes, java, limit).run(EnumSet.of(role));
        }
    }

    static NodeConfiguration configuration(String key, String value) {
        return new NodeConfiguration(Map.of(key, value), name -> null);
    }

    static Finding about(String subject, List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.subject().equals(subject))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing about " + subject + " in " + findings));
    }

    static Finding about(String subject, List<Finding> findings, Severity severity) {
        return about(
                subject,
                findings.stream()
                        .filter(finding -> finding.severity() == severity)
                        .collect(Collectors.toList()));
    }

    /** A folder that says it is that version of Hadoop. */
    Path hadoop(String version) throws IOException {
        Path folder = Files.createDirectories(temporary.resolve("hadoop-" + version));
        Files.writeString(folder.resolve("common-version-info.properties"), "version=" + version + "\n");
        return folder;
    }
}
