/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import java.time.Duration;
import java.util.Set;

/** The keys that the placement policy reads. */
public final class PlacementKeys {

    public static final ConfKey<Boolean> ENABLED = ConfKey.of(
            "foresight.placement.enabled",
            ValueType.bool(),
            "true",
            "Whether one replica of each block of a file is placed on the file's replica node. If false,"
                    + " all replicas are placed as in stock HDFS.");

    public static final ConfKey<String> BASE_CLASSNAME = ConfKey.of(
            "foresight.placement.base.classname",
            ValueType.className(),
            "",
            "The policy of HDFS that places all other replicas and whose rules hold for all replicas: the"
                    + " value that stood in dfs.block.replicator.classname before. Empty:"
                    + " BlockPlacementPolicyDefault. The replica node gets a replica if this policy accepts it."
                    + " Foresight works on BlockPlacementPolicyDefault, BlockPlacementPolicyWithUpgradeDomain,"
                    + " BlockPlacementPolicyRackFaultTolerant, AvailableSpaceBlockPlacementPolicy and"
                    + " AvailableSpaceRackFaultTolerantBlockPlacementPolicy. Any other subclass of the default"
                    + " places all replicas by itself.");

    public static final ConfKey<Set<String>> EXCLUDED = ConfKey.of(
            "foresight.placement.excluded",
            ValueType.directories(),
            "",
            "Directories whose files, at any depth, only the base policy places; placement migrate leaves"
                    + " them as they are.");

    public static final ConfKey<Boolean> RETURN_ENABLED = ConfKey.of(
            "foresight.placement.return.enabled",
            ValueType.bool(),
            "true",
            "Whether re-replication makes one more replica on the replica node, if the rack rule would"
                    + " otherwise keep the node from getting the lost replica. HDFS then deletes another replica.");

    public static final ConfKey<Boolean> SPARE_ENABLED = ConfKey.of(
            "foresight.placement.spare.enabled",
            ValueType.bool(),
            "true",
            "Whether the replica on the replica node is kept when a block has too many replicas. The"
                    + " block's file must be known, and no mover, such as the Balancer, may have copied the replica"
                    + " elsewhere.");

    public static final ConfKey<Boolean> EVEN_ENABLED = ConfKey.of(
            "foresight.placement.even.enabled",
            ValueType.bool(),
            "true",
            "Whether two DataNodes are drawn for a new file, and the DataNode with fewer recent files"
                    + " becomes its replica node. If false, a hash alone selects the replica node, and the first few"
                    + " hundred files of a cluster are spread unevenly.");

    public static final ConfKey<Double> LOAD_FACTOR = ConfKey.of(
            "foresight.placement.load.factor",
            ValueType.fraction(0, 1000),
            "4",
            "A replica node takes no block while its concurrent transfers exceed 16 and this many times"
                    + " the mean; the next node in the file's order takes the block. 0: no limit. Has no effect if"
                    + " dfs.namenode.redundancy.considerLoad is false.");

    public static final ConfKey<Integer> RECOVERY_MAX = ConfKey.of(
            "foresight.placement.recovery.max",
            ValueType.integer(0, 100_000),
            "32",
            "The most blocks on their way to a replica node, as HDFS counts scheduled blocks. While fewer"
                    + " are on their way, and HDFS's own check does not find the node busy, a re-replicated block"
                    + " goes to the file's replica node. Otherwise HDFS's own rules choose the target. 0: always"
                    + " HDFS's own rules.");

    public static final ConfKey<Duration> NODES_REFRESH = ConfKey.of(
            "foresight.placement.nodes.refresh",
            ValueType.duration("10ms", "1h"),
            "1s",
            "The longest time until a DataNode that joins, leaves or changes its capacity is taken into" + " account.");

    public static final ConfKey<Integer> FILES_MAX = ConfKey.of(
            "foresight.placement.files.max",
            ValueType.integer(1, 10_000_000),
            "10000",
            "The most files being written that are remembered, so that the namespace is searched once for"
                    + " each file and not for each block. Each takes about 300 bytes of heap.");

    public static final ConfKey<Integer> FAILURES_MAX = ConfKey.of(
            "foresight.placement.failures.max",
            ValueType.integer(1, 1_000_000),
            "100",
            "After this many internal failures within a minute HDFS's own policy decides, until the"
                    + " NameNode is restarted or dfs.block.replicator.classname is reconfigured.");

    private PlacementKeys() {}
}
