/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.ReplicaAccessor;
import org.apache.hadoop.hdfs.ReplicaAccessorBuilder;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReleasedDatasetFactory;
import org.junit.jupiter.api.Test;

/** Classes that a configuration names, and the findings about them. */
final class ClassCheckTest extends CheckedNode {

    private static final String HDFS_PROVIDER =
            "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider";

    @Test
    void run_classOfHdfsItself_isFine() throws IOException {
        String name = "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetFactory";

        Finding finding = about(FACTORY, check(NodeRole.DATANODE, FACTORY, name));

        assertThat(finding.severity()).isEqualTo(Severity.FINE);
        assertThat(finding.message()).contains(name).contains("hadoop-hdfs-");
    }

    @Test
    void run_missingClass_isWrongAndSaysWhatHappens() throws IOException {
        Finding finding = about(FACTORY, check(NodeRole.DATANODE, FACTORY, FORESIGHT_FACTORY));

        assertThat(finding.severity()).isEqualTo(Severity.WRONG);
        assertThat(finding.message())
                .contains(FORESIGHT_FACTORY)
                .contains("is in no jar")
                .contains("the DataNode will not start");
        assertThat(finding.remedy()).contains("HADOOP_CLASSPATH");
    }

    @Test
    void run_placementPolicyThatIsMissing_isWrongForTheNameNodeToo() throws IOException {
        String key = "dfs.block.replicator.classname";
        String policy = "io.github.foresight.placement.OrthogonalPlacementPolicy";
        for (NodeRole role : List.of(NodeRole.PLACEMENT, NodeRole.NAMENODE)) {
            Finding finding = about(key, check(role, key, policy));
            assertThat(finding.severity()).isEqualTo(Severity.WRONG);
            assertThat(finding.message()).contains("is in no jar").contains("the NameNode will not start");
        }
        Finding stock = about(
                key,
                check(
                        NodeRole.PLACEMENT,
                        key,
                        "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault"));
        assertThat(stock.severity()).isEqualTo(Severity.FINE);
    }

    @Test
    void run_oneMissingClassOfSeveral_isFoundAmongTheOthers() throws IOException {
        List<Finding> findings =
                check(NodeRole.NAMENODE, "dfs.namenode.plugins", "org.example.Absent, " + Object.class.getName() + ",");

        assertThat(findings)
                .filteredOn(finding -> finding.subject().equals("dfs.namenode.plugins"))
                .extracting(Finding::message)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("org.example.Absent is in no jar"),
                        second -> assertThat(second).contains("is no org.apache.hadoop.util.ServicePlugin"));
    }

    @Test
    void run_classWithoutTheConstructorThatHdfsCalls_isWrong() throws IOException {
        Finding finding = about(OBSERVERS, check(NodeRole.CLIENT, OBSERVERS, HiddenObserver.class.getName()));

        assertThat(finding.severity()).isEqualTo(Severity.WRONG);
        assertThat(finding.message()).contains("has no public constructor ()");
    }

    @Test
    void run_providerOfHdfsItself_isFine() throws IOException {
        Finding finding = about(PROVIDER + "ns1", check(NodeRole.CLIENT, PROVIDER + "ns1", HDFS_PROVIDER));

        assertThat(finding.severity()).isEqualTo(Severity.FINE);
    }

    @Test
    void run_classOnlyInTheReleasesLib_isAWarningToPutItOnTheClassPath() throws IOException {
        Path lib = Files.createDirectories(temporary.resolve("lib"));
        jar(lib.resolve("foresight-client.jar"));
        NodeConfiguration configuration = configuration(OBSERVERS, PublicObserver.class.getName());
        try (NodeClasses classes = NodeClasses.of(hadoopOnly(), lib)) {
            Finding finding = about(
                    OBSERVERS,
                    new NodeCheck(configuration, classes, JAVA_17, NO_LIMIT).run(EnumSet.of(NodeRole.CLIENT)));

            assertThat(finding.severity()).isEqualTo(Severity.WARNING);
            assertThat(finding.message()).contains("not on the class path of this node's Hadoop");
            assertThat(finding.remedy()).contains("lib/foresight-client.jar");
        }
    }

    @Test
    void run_classInTwoJars_isAWarningThatNamesBoth() throws IOException {
        String classpath = String.join(
                File.pathSeparator,
                jar(temporary.resolve("first.jar")).toString(),
                jar(temporary.resolve("second.jar")).toString(),
                hadoopOnly());
        NodeConfiguration configuration = configuration(OBSERVERS, PublicObserver.class.getName());

        Finding finding = about(OBSERVERS, check(NodeRole.CLIENT, classpath, JAVA_17, NO_LIMIT, configuration));

        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.message()).contains("2 times", "first.jar, ", "second.jar");
    }

    @Test
    void run_dataNodesClassOnlyInTheReleasesLib_isWrongAndSaysWhereTheJarGoes() throws IOException {
        Path lib = Files.createDirectories(temporary.resolve("lib"));
        jar(
                lib.resolve("foresight-datanode.jar"),
                ReleasedDatasetFactory.class,
                ReleasedDatasetFactory.ReleasedDataset.class);
        NodeConfiguration configuration = configuration(FACTORY, ReleasedDatasetFactory.class.getName());
        try (NodeClasses classes = NodeClasses.of(hadoopOnly(), lib)) {
            Finding finding = about(
                    FACTORY,
                    new NodeCheck(configuration, classes, JAVA_17, NO_LIMIT).run(EnumSet.of(NodeRole.DATANODE)));

            assertThat(finding.severity()).isEqualTo(Severity.WRONG);
            assertThat(finding.message())
                    .contains("not on the class path of this node's Hadoop")
                    .contains("the DataNode will not start");
            assertThat(finding.remedy())
                    .contains("copy lib/foresight-datanode.jar to $HADOOP_HOME/share/hadoop/hdfs/lib/");
        }
    }

    @Test
    void run_foresightsClassInNoJar_namesTheJarToCopy() throws IOException {
        Finding finding = about(FACTORY, check(NodeRole.DATANODE, FACTORY, FORESIGHT_FACTORY));

        assertThat(finding.remedy()).contains("copy lib/foresight-datanode.jar");
    }

    @Test
    void run_journalNode_loadsNothingOfThese() throws IOException {
        Map<String, String> properties = Map.of(
                PROVIDER + "ns1", "io.github.foresight.client.ForesightProxyProvider", FACTORY, FORESIGHT_FACTORY);

        assertThat(check(NodeRole.JOURNALNODE, properties)).noneMatch(finding -> finding.severity() == Severity.WRONG);
    }

    @Test
    void run_allRoles_sayWhatAMissingClassMeansToEachInOneFinding() throws IOException {
        Map<String, String> properties = Map.of(PROVIDER + "ns1", "io.github.foresight.client.ForesightProxyProvider");
        try (NodeClasses classes = NodeClasses.of(CLASSPATH, temporary.resolve("no-lib"))) {
            List<Finding> findings = new NodeCheck(
                            new NodeConfiguration(properties, name -> null), classes, JAVA_17, NO_LIMIT)
                    .run(EnumSet.allOf(NodeRole.class));

            assertThat(findings)
                    .filteredOn(finding -> finding.severity() == Severity.WRONG)
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.message())
                            .contains("the NameNode stops", "the DataNode answers no WebHDFS", "HttpFS cannot reach"));
        }
    }

    /** A {@link ReplicaAccessorBuilder} without a public constructor. */
    static class HiddenObserver extends ReplicaAccessorBuilder {
        @Override
        public ReplicaAccessorBuilder setFileName(String name) {
            return this;
        }

        @Override
        public ReplicaAccessorBuilder setBlock(long id, String pool) {
            return this;
        }

        @Override
        public ReplicaAccessorBuilder setGenerationStamp(long stamp) {
            return this;
        }

        @Override
        public ReplicaAccessorBuilder setVerifyChecksum(boolean verify) {
            return this;
        }

        @Override
        public ReplicaAccessorBuilder setClientName(String name) {
            return this;
        }

        @Override
        public ReplicaAccessorBuilder setAllowShortCircuitReads(boolean allow) {
            return this;
        }

        @Override
        public ReplicaAccessorBuilder setVisibleLength(long length) {
            return this;
        }

        @Override
        public ReplicaAccessorBuilder setConfiguration(org.apache.hadoop.conf.Configuration conf) {
            return this;
        }

        @Override
        public ReplicaAccessorBuilder setBlockAccessToken(byte[] token) {
            return this;
        }

        @Override
        public ReplicaAccessor build() {
            return null;
        }
    }

    /** A class that HDFS can create. */
    public static final class PublicObserver extends HiddenObserver {}

    private static String hadoopOnly() {
        return Arrays.stream(CLASSPATH.split(File.pathSeparator, -1))
                .filter(entry -> entry.endsWith(".jar"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** A jar with the observers of this test. */
    private static Path jar(Path file) throws IOException {
        return jar(file, HiddenObserver.class, PublicObserver.class);
    }

    private static Path jar(Path file, Class<?>... types) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file))) {
            for (Class<?> type : types) {
                String entry = type.getName().replace('.', '/') + ".class";
                try (InputStream in = type.getClassLoader().getResourceAsStream(entry)) {
                    out.putNextEntry(new JarEntry(entry));
                    in.transferTo(out);
                }
            }
        }
        return file;
    }
}
