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
            "Whether one replica of each block of a file is placed on the file's replica node. Off, all is placed as HDFS does.");

    public static final ConfKey<String> BASE_CLASSNAME = ConfKey.of(
            "foresight.placement.base.classname",
            ValueType.className(),
            "",
            "The policy of HDFS's that places all other replicas and whose rules hold for all: what stood in dfs.block.replicator.classname."
                    + " Empty: BlockPlacementPolicyDefault. The replica node gets a replica where this policy accepts it. Foresight works on"
                    + " BlockPlacementPolicyDefault, BlockPlacementPolicyWithUpgradeDomain, BlockPlacementPolicyRackFaultTolerant,"
                    + " AvailableSpaceBlockPlacementPolicy and AvailableSpaceRackFaultTolerantBlockPlacementPolicy; any other subclass of the"
                    + " default does all by itself.");

    public static final ConfKey<Set<String>> EXCLUDED = ConfKey.of(
            "foresight.placement.excluded",
            ValueType.directories(),
            "",
            "Directories whose files, at any depth, are placed by the base policy alone; placement migrate leaves them as they are.");

    public static final ConfKey<Boolean> RETURN_ENABLED = ConfKey.of(
            "foresight.placement.return.enabled",
            ValueType.bool(),
            "true",
            "Whether, when a lost replica is made again, one more is made on the replica node where the rack rule would keep"
                    + " it from getting that one. HDFS then deletes another.");

    public static final ConfKey<Boolean> SPARE_ENABLED = ConfKey.of(
            "foresight.placement.spare.enabled",
            ValueType.bool(),
            "true",
            "Whether the replica on the replica node is spared when a block has too many, where the block's file can be known and no"
                    + " mover, such as the Balancer, has copied that replica elsewhere.");

    public static final ConfKey<Boolean> EVEN_ENABLED = ConfKey.of(
            "foresight.placement.even.enabled",
            ValueType.bool(),
            "true",
            "Whether of two DataNodes that are drawn for a new file the one that had fewer files lately becomes its replica node; off, a"
                    + " hash alone names it, and the first few hundred files of a cluster are spread as unevenly as dice fall.");

    public static final ConfKey<Double> LOAD_FACTOR = ConfKey.of(
            "foresight.placement.load.factor",
            ValueType.fraction(0, 1000),
            "4",
            "A replica node with more transfers at once than so many times the mean, and more than 16, takes no block; the next in"
                    + " the file's order does. 0: never. Without effect where dfs.namenode.redundancy.considerLoad is off.");

    public static final ConfKey<Integer> RECOVERY_MAX = ConfKey.of(
            "foresight.placement.recovery.max",
            ValueType.integer(0, 100_000),
            "32",
            "A replica that is made again goes to the file's replica node while fewer blocks than this are on their way there, counted as"
                    + " HDFS counts scheduled blocks, and while HDFS's own check does not hold the node to be busy. Beyond that HDFS's own rules"
                    + " choose the target. 0: always HDFS's own rules.");

    public static final ConfKey<Duration> NODES_REFRESH = ConfKey.of(
            "foresight.placement.nodes.refresh",
            ValueType.duration("10ms", "1h"),
            "1s",
            "How long it may take until a DataNode that joins, leaves or changes its capacity is taken account of.");

    public static final ConfKey<Integer> FILES_MAX = ConfKey.of(
            "foresight.placement.files.max",
            ValueType.integer(1, 10_000_000),
            "10000",
            "How many files that are being written are remembered, so that the namespace is searched once for a file and not for"
                    + " each block; at about 300 bytes of heap each.");

    public static final ConfKey<Integer> FAILURES_MAX = ConfKey.of(
            "foresight.placement.failures.max",
            ValueType.integer(1, 1_000_000),
            "100",
            "After this many internal failures within a minute HDFS's own policy decides until the NameNode is restarted or"
                    + " dfs.block.replicator.classname is reconfigured.");

    private PlacementKeys() {}
}
