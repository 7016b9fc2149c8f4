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
 * Which policy of HDFS's is the base of an {@link OrthogonalPlacementPolicy}, and why Foresight places nothing on top of it, if it does not.
 *
 * <p>Foresight works on top of those of HDFS's policies whose rules it asks for each node. A policy of an unknown class may override a step that
 * Foresight takes past it. Node groups are checked by a method that changes the DataNodes while it looks. A policy for erasure-coded files has
 * no replica to place. In these cases the base policy does all. Immutable.
 */
final class BasePolicy {

    private static final String PACKAGE = "org.apache.hadoop.hdfs.server.blockmanagement.";

    /** Each is held by a test. */
    private static final Set<String> PLACED_ON = ImmutableSet.of(
            PACKAGE + "BlockPlacementPolicyDefault",
            PACKAGE + "BlockPlacementPolicyWithUpgradeDomain",
            PACKAGE + "BlockPlacementPolicyRackFaultTolerant",
            PACKAGE + "AvailableSpaceBlockPlacementPolicy",
            PACKAGE + "AvailableSpaceRackFaultTolerantBlockPlacementPolicy");

    /** The topology of a pair of policies, one for replicas and one for erasure coding, of which only the first one has been made. */
    private static final ThreadLocal<@Nullable WeakReference<NetworkTopology>> HALF_MADE = new ThreadLocal<>();

    private final Class<? extends BlockPlacementPolicyDefault> type;
    private final @Nullable String refusal;

    private BasePolicy(Class<? extends BlockPlacementPolicyDefault> type, @Nullable String refusal) {
        this.type = type;
        this.refusal = refusal;
    }

    /** For the policy that HDFS makes next on this thread. */
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
     * Whether the policy is the one for erasure-coded files. HDFS makes the two one after the other on a thread and tells neither what it is
     * for: where both keys name Foresight's policy the second one is.
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

    /** Fails where HDFS would fail, too: a policy that cannot be had must not be replaced by one that knows less. */
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

    /** Whether it places replicas in different upgrade domains. */
    boolean hasUpgradeDomains() {
        return BlockPlacementPolicyWithUpgradeDomain.class.isAssignableFrom(type);
    }

    /** Whether more than the number of racks is to be checked when all replicas have a place. */
    boolean isStricterThanDefault() {
        return type != BlockPlacementPolicyDefault.class;
    }

    /** Why Foresight leaves all to this policy; null if it does not. */
    @Nullable
    String refusal() {
        return refusal;
    }
}
