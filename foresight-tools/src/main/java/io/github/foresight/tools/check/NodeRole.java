/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.check;

import java.util.List;

/** What runs on a node and reads the configuration that is checked. */
enum NodeRole {
    NAMENODE(
            "NameNode",
            "foresight-namenode",
            List.of(
                    ClassKey.reflective("dfs.namenode.plugins", Names.SERVICE_PLUGIN, Names.NAMENODE_STOPS),
                    ClassKey.reflective(
                            "dfs.namenode.inode.attributes.provider.class",
                            "org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider",
                            Names.NAMENODE_STOPS))),
    DATANODE(
            "DataNode",
            "foresight-datanode",
            List.of(
                    ClassKey.reflective(
                            "dfs.datanode.fsdataset.factory",
                            "org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi$Factory",
                            Names.DATANODE_STOPS),
                    ClassKey.reflective("dfs.datanode.plugins", Names.SERVICE_PLUGIN, Names.DATANODE_STOPS))),
    PLACEMENT(
            "placement policy",
            "foresight-placement",
            List.of(ClassKey.reflective(
                    "dfs.block.replicator.classname", Names.PLACEMENT_POLICY, Names.NAMENODE_STOPS))),
    CLIENT(
            "client",
            "foresight-client",
            List.of(
                    ClassKey.provider("dfs.client.failover.proxy.provider.", Names.NO_FILE_SYSTEM),
                    ClassKey.provider("foresight.client.proxy.provider", Names.NO_FILE_SYSTEM),
                    ClassKey.provider("foresight.client.proxy.provider.", Names.NO_FILE_SYSTEM),
                    ClassKey.plain(
                            "dfs.client.replica.accessor.builder.classes",
                            "org.apache.hadoop.hdfs.ReplicaAccessorBuilder",
                            "the client goes on without it and sends no hints")));

    private final String title;
    private final String artifact;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of, of immutable keys
    private final List<ClassKey> classKeys;

    NodeRole(String title, String artifact, List<ClassKey> classKeys) {
        this.title = title;
        this.artifact = artifact;
        this.classKeys = classKeys;
    }

    /** As HDFS writes it. */
    String title() {
        return title;
    }

    /** What its jar in {@code lib/} and its fragment in {@code conf/} are called. */
    String artifact() {
        return artifact;
    }

    List<ClassKey> classKeys() {
        return classKeys;
    }

    private static final class Names {
        static final String PLACEMENT_POLICY = "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy";
        static final String SERVICE_PLUGIN = "org.apache.hadoop.util.ServicePlugin";
        static final String NAMENODE_STOPS = "the NameNode will not start";
        static final String DATANODE_STOPS = "the DataNode will not start";
        static final String NO_FILE_SYSTEM = "clients cannot reach this file system";
    }
}
