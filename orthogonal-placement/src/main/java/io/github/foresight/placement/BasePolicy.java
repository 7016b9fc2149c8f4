/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import com.google.common.collect.ImmutableSet;
import io.github.foresight.protocol.conf.PlacementKeys;
import java.lang.ref.WeakReference;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyRackFaultTolerant;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithUpgradeDomain;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.jspecify.annotations.Nullable;

/**
 * The HDFS policy under an {@link OrthogonalPlacementPolicy}, and the reason, if any, why Foresight places nothing on top of it.
 *
 * <p>Foresight works on top of those HDFS policies whose rules it asks for each node. A policy of an unknown class may override a step that
 * Foresight bypasses. Node groups are checked by a method that changes the DataNodes during the check. A policy for erasure-coded files has no
 * replica to place. In these three cases the base policy decides alone. Immutable.
 */
final class BasePolicy {

    private static final String PACKAGE = "org.apache.hadoop.hdfs.server.blockmanagement.";

    /** The base policies that Foresight accepts, by class name. A test covers each of them. */
    private static final Set<String> PLACED_ON = ImmutableSet.of(
            PACKAGE + "BlockPlacementPolicyDefault",
            PACKAGE + "BlockPlacementPolicyWithUpgradeDomain",
            PACKAGE + "BlockPlacementPolicyRackFaultTolerant",
            PACKAGE + "AvailableSpaceBlockPlacementPolicy",
            PACKAGE + "AvailableSpaceRackFaultTolerantBlockPlacementPolicy");

    /** The topology of a half-made pair of policies: HDFS has made the policy for replicas, and not yet the policy for erasure coding. */
    private static final ThreadLocal<@Nullable WeakReference<NetworkTopology>> HALF_MADE = new ThreadLocal<>();

    private final Class<? extends BlockPlacementPolicyDefault> type;
    private final @Nullable String refusal;

    private BasePolicy(Class<? extends BlockPlacementPolicyDefault> type, @Nullable String refusal) {
        this.type = type;
        this.refusal = refusal;
    }

    /** Returns the base of the policy that HDFS makes next on this thread. */
    static BasePolicy of(Configuration conf, NetworkTopology topology) {
        if (isForErasureCoding(conf, topology)) {
            return new BasePolicy(
                    BlockPlacementPolicyRackFaultTolerant.class,
                    DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY
                            + " names Foresight's policy, which is for replicas; "
                            + BlockPlacementPolicyRackFaultTolerant.class.getSimpleName()
                            + " places erasure-coded blocks instead");
        }
        Class<? extends BlockPlacementPolicyDefault> type = configured(conf);
        if (topology instanceof NetworkTopologyWithNodeGroup) {
            return new BasePolicy(type, "the topology has node groups, on which Foresight places nothing");
        }
        if (!PLACED_ON.contains(type.getName())) {
            return new BasePolicy(
                    type,
                    PlacementKeys.BASE_CLASSNAME + "=" + type.getName()
                            + " is none of the policies that Foresight works on top of");
        }
        return new BasePolicy(type, null);
    }

    /**
     * Whether the new policy is for erasure-coded files. HDFS makes a policy for replicas and then a policy for erasure coding, on one thread. HDFS
     * gives neither policy its purpose. If the keys of both policies name Foresight's class, the second policy is for erasure coding.
     */
    private static boolean isForErasureCoding(Configuration conf, NetworkTopology topology) {
        if (!isOurs(conf, DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY)) {
            return false;
        }
        if (!isOurs(conf, DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY)) {
            return true;
        }
        WeakReference<NetworkTopology> half = HALF_MADE.get();
        if (half != null && half.get() == topology) {
            HALF_MADE.remove();
            return true;
        }
        HALF_MADE.set(new WeakReference<>(topology));
        return false;
    }

    private static boolean isOurs(Configuration conf, String key) {
        return OrthogonalPlacementPolicy.class.getName().equals(conf.getTrimmed(key));
    }

    /** Returns the configured base class. A class that is missing or unsuitable is an error, as in HDFS: a weaker policy must not replace it. */
    private static Class<? extends BlockPlacementPolicyDefault> configured(Configuration conf) {
        String name = PlacementKeys.BASE_CLASSNAME.get(conf::get);
        if (name.isEmpty()) {
            return BlockPlacementPolicyDefault.class;
        }
        try {
            Class<?> type = conf.getClassByName(name);
            if (BlockPlacementPolicyDefault.class.isAssignableFrom(type)
                    && !OrthogonalPlacementPolicy.class.isAssignableFrom(type)) {
                return type.asSubclass(BlockPlacementPolicyDefault.class);
            }
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    PlacementKeys.BASE_CLASSNAME + "=" + name + ": there is no such class", e);
        }
        throw new IllegalArgumentException(PlacementKeys.BASE_CLASSNAME + "=" + name
                + ": give a subclass of BlockPlacementPolicyDefault that is not Foresight's, such as "
                + BlockPlacementPolicyWithUpgradeDomain.class.getName());
    }

    Class<? extends BlockPlacementPolicyDefault> type() {
        return type;
    }

    /** Whether the base policy places replicas in different upgrade domains. */
    boolean hasUpgradeDomains() {
        return BlockPlacementPolicyWithUpgradeDomain.class.isAssignableFrom(type);
    }

    /** Whether the base policy has rules beyond the number of racks. Such rules are checked when all replicas have a place. */
    boolean isStricterThanDefault() {
        return type != BlockPlacementPolicyDefault.class;
    }

    /** Returns the reason why Foresight leaves all placement to the base policy; null if Foresight places replicas. */
    @Nullable
    String refusal() {
        return refusal;
    }
}
