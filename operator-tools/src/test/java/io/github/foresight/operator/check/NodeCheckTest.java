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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.ReplicaAccessor;
import org.apache.hadoop.hdfs.ReplicaAccessorBuilder;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReleasedDatasetFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each fault that an operator can make, and the finding that the check reports. */
final class NodeCheckTest {

    private static final String CLASSPATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    private static final String FACTORY = "dfs.datanode.fsdataset.factory";
    private static final String OBSERVERS = "dfs.client.replica.accessor.builder.classes";
    private static final String AUDIT_LOGGERS = "dfs.namenode.audit.loggers";
    private static final String FORESIGHT_AUDIT_LOGGER = "io.github.foresight.namenode.ChangeAuditLogger";
    private static final String PROVIDER = "dfs.client.failover.proxy.provider.";
    private static final String HDFS_PROVIDER =
            "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider";
    private static final String FORESIGHT_FACTORY =
            "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ForesightDatasetFactory";

    private static final DaemonJava JAVA_17 = new DaemonJava(17, "/jdk17");
    private static final LockLimit NO_LIMIT = new LockLimit("hdfs", 16L << 30, 16L << 30);

    @TempDir
    private Path temporary;

    /** What {@link ReplicaAccessorBuilder} asks for, with no public constructor. */
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
    void run_valueThatItsKeyRefuses_isWrongAndSaysWhatIsAccepted() throws IOException {
        String key = "foresight.datanode.cache.capacity";

        Finding finding = about(key, check(NodeRole.DATANODE, key, "lots"));

        assertThat(finding.severity()).isEqualTo(Severity.WRONG);
        assertThat(finding.message()).contains("'lots' is not accepted");
        assertThat(finding.remedy()).contains("'auto', or a size").contains("default");
    }

    @Test
    void run_mistypedKey_isAWarningWithTheKeyThatWasMeant() throws IOException {
        Finding finding = about(
                "foresight.datanode.cache.capcity", check(NodeRole.DATANODE, "foresight.datanode.cache.capcity", "1g"));

        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.remedy()).contains("did you mean foresight.datanode.cache.capacity?");
    }

    @Test
    void run_unknownKeyLikeNoOther_isAWarningWithoutAGuess() throws IOException {
        Finding finding = about("foresight.weather", check(NodeRole.DATANODE, "foresight.weather", "rain"));

        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.remedy()).doesNotContain("did you mean");
    }

    @Test
    void run_javaBefore8_isWrong() throws IOException {
        Finding finding = about("java", check(CLASSPATH, new DaemonJava(7, "/jdk7"), NO_LIMIT));

        assertThat(finding.severity()).isEqualTo(Severity.WRONG);
        assertThat(finding.message()).contains("Java 7").contains("needs 8 or later");
    }

    @Test
    void run_javaThatTheContainerTestsRun_isFineAndAnotherAWarning() throws IOException {
        assertThat(severityOn("3.4.3", 8)).isEqualTo(Severity.FINE);
        assertThat(severityOn("3.4.3", 17)).isEqualTo(Severity.FINE);
        assertThat(severityOn("3.4.3", 21)).isEqualTo(Severity.WARNING);
        assertThat(severityOn("3.5.0", 21)).isEqualTo(Severity.FINE);
        assertThat(severityOn("3.5.0", 25)).isEqualTo(Severity.WARNING);
    }

    private Severity severityOn(String hadoop, int java) throws IOException {
        String classpath = hadoop(hadoop) + File.pathSeparator + CLASSPATH;
        return about("java", check(classpath, new DaemonJava(java, "/jdk"), NO_LIMIT))
                .severity();
    }

    @Test
    void run_java11UnderHadoop35_isWrong() throws IOException {
        String classpath = hadoop("3.5.0") + File.pathSeparator + CLASSPATH;

        assertThat(about("java", check(classpath, new DaemonJava(11, "/jdk11"), NO_LIMIT))
                        .message())
                .contains("Hadoop 3.5.0 needs 17");
    }

    @Test
    void run_hadoopVersions_areFineTestedWarnedOrRefused() throws IOException {
        Map<String, Severity> expected = new LinkedHashMap<>();
        NodeCheck.TESTED_HADOOP.forEach(version -> expected.put(version, Severity.FINE));
        expected.put("3.4.1", Severity.WARNING);
        expected.put("3.6.0-SNAPSHOT", Severity.WARNING);
        expected.put("3.2.4", Severity.WRONG);
        expected.put("2.10.2", Severity.WRONG);
        for (Map.Entry<String, Severity> version : expected.entrySet()) {
            String classpath = hadoop(version.getKey()) + File.pathSeparator + CLASSPATH;

            assertThat(about("hadoop", check(classpath, JAVA_17, NO_LIMIT)).severity())
                    .as(version.getKey())
                    .isEqualTo(version.getValue());
        }
    }

    @Test
    void run_noHadoopOnTheClassPath_isWrong() throws IOException {
        assertThat(about("hadoop", check("", JAVA_17, NO_LIMIT)).severity()).isEqualTo(Severity.WRONG);
    }

    @Test
    void run_capacityAboveTheLockLimit_isAWarningWithTheLimitThatIsNeeded() throws IOException {
        LockLimit small = new LockLimit("hdfs", 16L << 30, 64 << 10);
        Map<String, String> properties = Map.of(
                FACTORY,
                FORESIGHT_FACTORY,
                "foresight.datanode.cache.capacity",
                "1g",
                "dfs.datanode.max.locked.memory",
                "256m");

        Finding finding = about("memory", checkDataNode(small, properties));

        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.message()).contains("hdfs may lock 64 KiB");
        assertThat(finding.remedy()).contains("1280 MiB");
    }

    @Test
    void run_automaticCapacityWithADefaultLimit_isAWarning() throws IOException {
        LockLimit small = new LockLimit("hdfs", 16L << 30, 8 << 20);

        Finding finding = about("memory", checkDataNode(small, Map.of(FACTORY, FORESIGHT_FACTORY)));

        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.message()).contains("may lock only 8 MiB");
    }

    @Test
    void run_lockLimitThatSuffices_isFine() throws IOException {
        assertThat(about("memory", checkDataNode(NO_LIMIT, Map.of(FACTORY, FORESIGHT_FACTORY)))
                        .severity())
                .isEqualTo(Severity.FINE);
    }

    @Test
    void run_capacityAboveHalfTheMachine_isAWarning() throws IOException {
        Map<String, String> properties = Map.of(FACTORY, FORESIGHT_FACTORY, "foresight.datanode.cache.capacity", "12g");

        assertThat(about("foresight.datanode.cache.capacity", checkDataNode(NO_LIMIT, properties), Severity.WARNING)
                        .message())
                .contains("more than half");
    }

    @Test
    void run_lockedMemoryThatIsNoSize_isWrong() throws IOException {
        Map<String, String> properties = Map.of(FACTORY, FORESIGHT_FACTORY, "dfs.datanode.max.locked.memory", "plenty");

        assertThat(about("dfs.datanode.max.locked.memory", checkDataNode(NO_LIMIT, properties))
                        .message())
                .contains("'plenty' is not a size");
    }

    @Test
    void run_providerOfAnUnknownCluster_isAWarningWithTheKnownClusters() throws IOException {
        Map<String, String> properties = Map.of(
                PROVIDER + "mycluster",
                "io.github.foresight.client.ForesightProxyProvider",
                OBSERVERS,
                "io.github.foresight.client.ReadObserver",
                "fs.defaultFS",
                "hdfs://namenode.example:8020");

        Finding finding = about(PROVIDER + "mycluster", checkClient(properties), Severity.WARNING);

        assertThat(finding.message()).contains("no cluster here is called 'mycluster'", "namenode.example");
    }

    @Test
    void run_providerOfANameservice_isNotTakenForUnknown() throws IOException {
        Map<String, String> properties = Map.of(
                PROVIDER + "ns1",
                "io.github.foresight.client.ForesightProxyProvider",
                OBSERVERS,
                "io.github.foresight.client.ReadObserver",
                "dfs.nameservices",
                "ns0, ns1");

        assertThat(checkClient(properties))
                .noneMatch(finding -> finding.message().contains("no cluster here"));
    }

    @Test
    void run_clientInstalledByItsFileSystemAlone_needsNothingButItsJar() throws IOException {
        Map<String, String> properties = Map.of(
                "fs.hdfs.impl",
                "io.github.foresight.client.ForesightFileSystem",
                "fs.AbstractFileSystem.hdfs.impl",
                "io.github.foresight.client.ForesightFs");

        List<Finding> findings = checkClient(properties);
        for (String key : properties.keySet()) {
            assertThat(about(key, findings, Severity.WRONG).remedy()).contains("foresight-client.jar");
        }
        assertThat(findings)
                .filteredOn(finding -> !properties.containsKey(finding.subject()))
                .noneMatch(finding -> finding.severity() != Severity.FINE);
    }

    @Test
    void run_halfOfTheClientsProperties_isAWarning() throws IOException {
        assertThat(checkClient(Map.of(OBSERVERS, "io.github.foresight.client.ReadObserver")))
                .anyMatch(finding -> finding.message().contains("no hints are sent"));
        assertThat(checkClient(Map.of(
                        PROVIDER + "ns1",
                        "io.github.foresight.client.ForesightProxyProvider",
                        "dfs.nameservices",
                        "ns1")))
                .anyMatch(finding -> finding.message().contains("does not see what is read"));
    }

    @Test
    void run_stockConfiguration_saysThatForesightIsNotInstalled() throws IOException {
        Finding finding = about("DataNode", check(NodeRole.DATANODE, "dfs.replication", "3"));

        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.remedy()).contains("conf/foresight-datanode.xml");
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
    void run_nameNodeWithoutTheClientsProvider_isWrongWhereTrashIsEmptied() throws IOException {
        Map<String, String> properties = Map.of(
                PROVIDER + "ns1", "io.github.foresight.client.ForesightProxyProvider", "fs.trash.interval", "360");

        Finding finding = about(PROVIDER + "ns1", check(NodeRole.NAMENODE, properties), Severity.WRONG);

        assertThat(finding.message()).contains("is in no jar", "the NameNode stops when it becomes active");
        assertThat(finding.remedy()).contains("lib/foresight-client.jar");
    }

    @Test
    void run_nameNodeWithoutTheClientsProvider_isAWarningWhereNoTrashIsEmptied() throws IOException {
        String provider = "io.github.foresight.client.ForesightProxyProvider";
        for (Map<String, String> properties : List.of(
                Map.of(PROVIDER + "ns1", provider), Map.of(PROVIDER + "ns1", provider, "fs.trash.interval", "0"))) {
            assertThat(about(PROVIDER + "ns1", check(NodeRole.NAMENODE, properties))
                            .severity())
                    .isEqualTo(Severity.WARNING);
        }
    }

    @Test
    void run_nameNodeWithoutTheClientsProvider_isWrongWhereItsCheckpointIsInHdfs() throws IOException {
        Map<String, String> properties = Map.of(
                PROVIDER + "ns1",
                "io.github.foresight.client.ForesightProxyProvider",
                "foresight.namenode.checkpoint.hdfs.path",
                "/system/foresight/graph");

        Finding finding = about(PROVIDER + "ns1", check(NodeRole.NAMENODE, properties), Severity.WRONG);

        assertThat(finding.message()).contains("the NameNode cannot keep in HDFS what it learns");
    }

    @ParameterizedTest
    @EnumSource(
            value = NodeRole.class,
            names = {"NAMENODE", "SECONDARYNAMENODE"})
    void run_auditLoggerThatIsMissing_isWrong(NodeRole role) throws IOException {
        List<Finding> findings = check(role, AUDIT_LOGGERS, "default," + FORESIGHT_AUDIT_LOGGER);

        Finding finding = about(AUDIT_LOGGERS, findings);
        assertThat(finding.severity()).isEqualTo(Severity.WRONG);
        assertThat(finding.message()).contains("is in no jar", "the " + role.title() + " will not start");
        assertThat(finding.remedy()).contains("copy lib/foresight-namenode.jar");
        assertThat(findings).as("the word for HDFS's own logger names no class").noneMatch(found -> found.message()
                .startsWith("default "));
    }

    @Test
    void run_auditLoggerOfHdfsItself_isFine() throws IOException {
        String name = "org.apache.hadoop.hdfs.server.namenode.top.TopAuditLogger";

        assertThat(check(NodeRole.NAMENODE, AUDIT_LOGGERS, "default, " + name))
                .filteredOn(finding -> finding.subject().equals(AUDIT_LOGGERS))
                .singleElement()
                .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.FINE));
    }

    @Test
    void run_pluginWithoutItsAuditLogger_isAWarning() throws IOException {
        String plugin = "io.github.foresight.namenode.ForesightPlugin";
        Finding finding = about(
                AUDIT_LOGGERS,
                check(NodeRole.NAMENODE, Map.of("dfs.namenode.plugins", plugin, AUDIT_LOGGERS, "default")),
                Severity.WARNING);

        assertThat(finding.message()).contains("changes by WebHDFS");
        assertThat(finding.remedy()).contains("give default," + FORESIGHT_AUDIT_LOGGER);
        assertThat(check(
                        NodeRole.NAMENODE,
                        Map.of("dfs.namenode.plugins", plugin, AUDIT_LOGGERS, "default, " + FORESIGHT_AUDIT_LOGGER)))
                .noneMatch(found -> found.message().contains("changes by WebHDFS"));
    }

    @ParameterizedTest
    @EnumSource(
            value = NodeRole.class,
            names = {
                "SPS",
                "JOBHISTORYSERVER",
                "DATANODE",
                "BALANCER",
                "MOVER",
                "HTTPFS",
                "NFS3",
                "ROUTER",
                "RESOURCEMANAGER",
                "NODEMANAGER"
            })
    void run_daemonThatIsAClientWithoutTheProvider_isWrong(NodeRole role) throws IOException {
        Map<String, String> properties = Map.of(PROVIDER + "ns1", "io.github.foresight.client.ForesightProxyProvider");

        assertThat(about(PROVIDER + "ns1", check(role, properties)).severity()).isEqualTo(Severity.WRONG);
    }

    @ParameterizedTest
    @EnumSource(
            value = NodeRole.class,
            names = {"NAMENODE", "BALANCER", "MOVER", "SECONDARYNAMENODE"})
    void run_daemonThatChecksPlacementWithoutThePolicy_isWrong(NodeRole role) throws IOException {
        String key = "dfs.block.replicator.classname";

        Finding finding = about(key, check(role, key, "io.github.foresight.placement.OrthogonalPlacementPolicy"));

        assertThat(finding.severity()).isEqualTo(Severity.WRONG);
        assertThat(finding.message()).contains("the " + role.title() + " will not start");
        assertThat(finding.remedy()).contains("lib/foresight-placement.jar");
    }

    private static final String POLICY_KEY = "dfs.block.replicator.classname";
    private static final String POLICY = "io.github.foresight.placement.OrthogonalPlacementPolicy";
    private static final String HDFS_POLICIES = "org.apache.hadoop.hdfs.server.blockmanagement.";

    private Finding placement(String key, String value, Severity severity) throws IOException {
        return about(key, check(NodeRole.PLACEMENT, Map.of(POLICY_KEY, POLICY, key, value)), severity);
    }

    @Test
    void run_placementForErasureCodedFiles_isWrong() throws IOException {
        Finding finding = about(
                "dfs.block.placement.ec.classname",
                check(NodeRole.NAMENODE, "dfs.block.placement.ec.classname", POLICY).stream()
                        .filter(any -> any.message().contains("erasure-coded"))
                        .collect(Collectors.toList()));
        assertThat(finding.severity()).isEqualTo(Severity.WRONG);
        assertThat(finding.remedy()).contains("BlockPlacementPolicyRackFaultTolerant");
    }

    @Test
    void run_placementOnNodeGroups_isWrong() throws IOException {
        Finding finding =
                placement("net.topology.impl", "org.apache.hadoop.net.NetworkTopologyWithNodeGroup", Severity.WRONG);
        assertThat(finding.message()).contains("places nothing");
        assertThat(finding.remedy()).contains(POLICY_KEY);
    }

    @Test
    void run_placementThatLosesUpgradeDomains_isWrongAndNamesTheBase() throws IOException {
        String remedy = "foresight.placement.base.classname=" + HDFS_POLICIES + "BlockPlacementPolicyWithUpgradeDomain";
        assertThat(placement("dfs.namenode.upgrade.domain.factor", "3", Severity.WRONG)
                        .remedy())
                .contains(remedy);
        assertThat(placement(
                                "dfs.namenode.hosts.provider.classname",
                                HDFS_POLICIES + "CombinedHostFileManager",
                                Severity.WARNING)
                        .remedy())
                .contains(remedy);
        assertThat(check(
                        NodeRole.PLACEMENT,
                        Map.of(
                                POLICY_KEY,
                                POLICY,
                                "dfs.namenode.upgrade.domain.factor",
                                "3",
                                "foresight.placement.base.classname",
                                HDFS_POLICIES + "BlockPlacementPolicyWithUpgradeDomain")))
                .noneMatch(finding -> finding.subject().contains("domain")
                        || (finding.subject().contains("base") && finding.severity() != Severity.FINE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {POLICY, "no.such.Policy", "java.lang.String", HDFS_POLICIES + "BlockPlacementPolicyWithNodeGroup"
            })
    void run_basePolicyThatPlacementCannotStandOn_isWrong(String base) throws IOException {
        Finding finding = about(
                "foresight.placement.base.classname",
                check(NodeRole.PLACEMENT, Map.of(POLICY_KEY, POLICY, "foresight.placement.base.classname", base))
                        .stream()
                        .filter(any -> any.remedy().contains("give one of"))
                        .collect(Collectors.toList()));
        assertThat(finding.severity()).isEqualTo(Severity.WRONG);
        assertThat(finding.message()).contains(base);
        assertThat(finding.remedy()).contains("BlockPlacementPolicyWithUpgradeDomain");
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

    private List<Finding> check(NodeRole role, Map<String, String> properties) throws IOException {
        return check(role, CLASSPATH, JAVA_17, NO_LIMIT, new NodeConfiguration(properties, name -> null));
    }

    private List<Finding> check(NodeRole role, String key, String value) throws IOException {
        return check(role, CLASSPATH, JAVA_17, NO_LIMIT, configuration(key, value));
    }

    private List<Finding> check(String classpath, DaemonJava java, LockLimit limit) throws IOException {
        return check(NodeRole.NAMENODE, classpath, java, limit, configuration("dfs.replication", "3"));
    }

    private List<Finding> checkDataNode(LockLimit limit, Map<String, String> properties) throws IOException {
        return check(NodeRole.DATANODE, CLASSPATH, JAVA_17, limit, new NodeConfiguration(properties, name -> null));
    }

    private List<Finding> checkClient(Map<String, String> properties) throws IOException {
        return check(NodeRole.CLIENT, CLASSPATH, JAVA_17, NO_LIMIT, new NodeConfiguration(properties, name -> null));
    }

    private List<Finding> check(
            NodeRole role, String classpath, DaemonJava java, LockLimit limit, NodeConfiguration configuration)
            throws IOException {
        try (NodeClasses classes = NodeClasses.of(classpath, temporary.resolve("no-lib"))) {
            return new NodeCheck(configuration, classes, java, limit).run(EnumSet.of(role));
        }
    }

    private static NodeConfiguration configuration(String key, String value) {
        return new NodeConfiguration(Map.of(key, value), name -> null);
    }

    private static Finding about(String subject, List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.subject().equals(subject))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing about " + subject + " in " + findings));
    }

    private static Finding about(String subject, List<Finding> findings, Severity severity) {
        return about(
                subject,
                findings.stream()
                        .filter(finding -> finding.severity() == severity)
                        .collect(Collectors.toList()));
    }

    /** A folder that says it is that version of Hadoop. */
    private Path hadoop(String version) throws IOException {
        Path folder = Files.createDirectories(temporary.resolve("hadoop-" + version));
        Files.writeString(folder.resolve("common-version-info.properties"), "version=" + version + "\n");
        return folder;
    }

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
