/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A process that reads the checked configuration on a node, and the classes that it loads by that configuration. A shared {@code
 * hdfs-site.xml} names classes for other processes too. A daemon that is a client of HDFS loads the client's classes.
 *
 * <p>Source: the daemons of Hadoop 3.3 to 3.5. The Secondary NameNode talks to its NameNode without a provider.
 */
enum NodeRole {
    NAMENODE(
            "NameNode",
            Names.NAMENODE_JAR,
            Stream.of(
                    Stream.of(ClassKey.reflective(
                            "dfs.namenode.plugins", Names.NAMENODE_JAR, Names.SERVICE_PLUGIN, Names.NAMENODE_STOPS)),
                    Names.namesystem(Names.NAMENODE_STOPS),
                    Names.placement(Names.NAMENODE_STOPS),
                    Names.client("the NameNode stops when it becomes active and starts the trash emptier"
                                    + " (fs.trash.interval)")
                            .map(key -> key.onlyWhere("fs.trash.interval")),
                    Names.client("the NameNode cannot keep in HDFS what it learns"
                                    + " (foresight.namenode.checkpoint.hdfs.path)")
                            .map(key -> key.onlyWhere("foresight.namenode.checkpoint.hdfs.path")))),
    DATANODE(
            "DataNode",
            "foresight-datanode",
            Stream.of(
                    Stream.of(
                            ClassKey.reflective(
                                    "dfs.datanode.fsdataset.factory",
                                    "foresight-datanode",
                                    "org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi$Factory",
                                    Names.DATANODE_STOPS),
                            ClassKey.reflective(
                                    "dfs.datanode.plugins",
                                    "foresight-datanode",
                                    Names.SERVICE_PLUGIN,
                                    Names.DATANODE_STOPS)),
                    Names.client("the DataNode answers no WebHDFS request for data"))),
    PLACEMENT("placement policy", Names.PLACEMENT_JAR, Stream.of(Names.placement(Names.NAMENODE_STOPS))),
    CLIENT(
            "client",
            Names.CLIENT_JAR,
            Stream.of(
                    Names.client("clients cannot reach this file system").map(ClassKey::onOtherClassPaths),
                    Stream.of(ClassKey.plain(
                                    "dfs.client.replica.accessor.builder.classes",
                                    Names.CLIENT_JAR,
                                    "org.apache.hadoop.hdfs.ReplicaAccessorBuilder",
                                    "the client sends no hints")
                            .onOtherClassPaths()))),
    BALANCER(
            "Balancer",
            Names.NO_JAR,
            Stream.of(
                    Names.placement("the Balancer will not start"),
                    Names.client("the Balancer cannot reach the NameNode"))),
    MOVER(
            "Mover",
            Names.NO_JAR,
            Stream.of(
                    Names.placement("the Mover will not start"), Names.client("the Mover cannot reach the NameNode"))),
    SPS(
            "external StoragePolicySatisfier",
            Names.NO_JAR,
            Stream.of(Names.client("the StoragePolicySatisfier cannot reach the NameNode"))),
    SECONDARYNAMENODE(
            "SecondaryNameNode",
            Names.NO_JAR,
            Stream.of(
                    Names.namesystem("the SecondaryNameNode will not start"),
                    Names.placement("the SecondaryNameNode will not start"))),
    JOURNALNODE("JournalNode", Names.NO_JAR, Stream.of()),
    ZKFC("ZKFailoverController", Names.NO_JAR, Stream.of()),
    HTTPFS("HttpFS server", Names.NO_JAR, Stream.of(Names.client("HttpFS cannot reach this file system"))),
    NFS3("NFS gateway", Names.NO_JAR, Stream.of(Names.client("the NFS gateway cannot reach this file system"))),
    ROUTER(
            "Router",
            Names.NO_JAR,
            Stream.of(Names.client(
                    "the Router cannot keep its state store in this file system, nor rename between nameservices"))),
    RESOURCEMANAGER(
            "ResourceManager",
            Names.NO_JAR,
            Stream.of(Names.client(
                    "the ResourceManager cannot renew delegation tokens nor keep its state in this file system"))),
    NODEMANAGER(
            "NodeManager",
            Names.NO_JAR,
            Stream.of(Names.client("the NodeManager cannot fetch what containers need nor collect their logs"))),
    JOBHISTORYSERVER(
            "JobHistoryServer",
            Names.NO_JAR,
            Stream.of(Names.client("the JobHistoryServer cannot read what jobs leave in this file system")));

    private final String title;
    private final String artifact;

    @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list of immutable keys
    private final List<ClassKey> classKeys;

    NodeRole(String title, String artifact, Stream<Stream<ClassKey>> classKeys) {
        this.title = title;
        this.artifact = artifact;
        this.classKeys = ImmutableList.copyOf(classKeys.flatMap(keys -> keys).collect(Collectors.toList()));
    }

    /** The name of the role in HDFS's spelling. */
    String title() {
        return title;
    }

    /** Whether the release has a jar and a fragment of configuration for this role. */
    boolean hasArtifact() {
        return !artifact.isEmpty();
    }

    /** The name of its jar in {@code lib/} and of its fragment in {@code conf/}. */
    String artifact() {
        return artifact;
    }

    List<ClassKey> classKeys() {
        return classKeys;
    }

    /** The name of the role on the command line. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The names of all roles on the command line. */
    static String words() {
        return Arrays.stream(values()).map(NodeRole::word).collect(Collectors.joining(", "));
    }

    private static final class Names {
        static final String NO_JAR = "";
        static final String NAMENODE_JAR = "foresight-namenode";
        static final String PLACEMENT_JAR = "foresight-placement";
        static final String CLIENT_JAR = "foresight-client";
        static final String SERVICE_PLUGIN = "org.apache.hadoop.util.ServicePlugin";
        static final String NAMENODE_STOPS = "the NameNode will not start";
        static final String DATANODE_STOPS = "the DataNode will not start";

        /** The keys of a process that makes an {@code FSNamesystem}. */
        static Stream<ClassKey> namesystem(String consequence) {
            return Stream.of(
                    ClassKey.reflective(
                            "dfs.namenode.inode.attributes.provider.class",
                            NAMENODE_JAR,
                            "org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider",
                            consequence),
                    ClassKey.plain(
                                    "dfs.namenode.audit.loggers",
                                    NAMENODE_JAR,
                                    "org.apache.hadoop.hdfs.server.namenode.AuditLogger",
                                    consequence)
                            .besides("default"));
        }

        /** The keys of a process that chooses or checks the places of replicas. */
        static Stream<ClassKey> placement(String consequence) {
            return Stream.concat(
                    Stream.of("dfs.block.replicator.classname", "dfs.block.placement.ec.classname")
                            .map(key -> ClassKey.reflective(
                                    key,
                                    PLACEMENT_JAR,
                                    "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy",
                                    consequence)),
                    Stream.of(ClassKey.reflective(
                            "foresight.placement.base.classname",
                            PLACEMENT_JAR,
                            "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault",
                            consequence)));
        }

        /** The keys of a process that makes a client of HDFS. */
        static Stream<ClassKey> client(String consequence) {
            return Stream.concat(
                    Stream.of(
                                    "dfs.client.failover.proxy.provider.",
                                    "foresight.client.proxy.provider",
                                    "foresight.client.proxy.provider.")
                            .map(key -> ClassKey.provider(key, CLIENT_JAR, consequence)),
                    Stream.of(
                            ClassKey.reflective(
                                    "fs.hdfs.impl", CLIENT_JAR, "org.apache.hadoop.fs.FileSystem", consequence),
                            ClassKey.fileContext("fs.AbstractFileSystem.hdfs.impl", CLIENT_JAR, consequence)));
        }
    }
}
