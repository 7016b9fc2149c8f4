/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the replica of a block that must move, so that the file's replica node has a replica. This is the migration
 * strategy, for replicas that another policy has placed.
 *
 * <p>A block with a replica on the replica node stays as it is; of any other block one replica moves there. The moves
 * of a file are as many as its blocks without a replica on that node. No plan for this node can do with fewer.
 *
 * <p>The chosen replica meets these criteria, in this order:
 *
 * <ul>
 *   <li>After its move the block is in no fewer racks, or in two racks.
 *   <li>After its move the originals are in more racks, so that the next replica node finds room beside them after a
 *       loss.
 *   <li>Its node is the fullest.
 * </ul>
 *
 * <p>Takes time quadratic in the replicas of a block. Stateless and thread-safe. NBJLOFS, section 3.1.
 */
public final class ReplicaMoves {

    /** HDFS's rule: a block is in two racks. */
    private static final int RACKS_WANTED = 2;

    /** One replica of a block. */
    public interface Replica {

        /** Whether the replica is on the file's replica node. */
        boolean isOnReplicaNode();

        /**
         * Whether the replica may move: its node is in service, and the replica node has room on a storage of the same
         * type.
         */
        boolean isMovable();

        String rack();

        /** The used share of its node, in [0, 1]. */
        double fullness();
    }

    private ReplicaMoves() {}

    /** Whether the replica node has a replica of a block. */
    public static boolean isHeld(List<? extends Replica> replicas) {
        return replicas.stream().anyMatch(Replica::isOnReplicaNode);
    }

    /**
     * The replica of a block that must move to the replica node.
     *
     * @param replicas the block's replicas, none of them on the replica node
     * @param replicaRack the replica node's rack
     * @return null if none may move
     */
    public static <R extends Replica> @Nullable R choose(List<R> replicas, String replicaRack) {
        if (isHeld(replicas)) {
            throw new IllegalArgumentException("the replica node has a replica: nothing must move");
        }
        long racksNow = racks(replicas, null, null);
        R best = null;
        long bestOriginals = 0;
        for (R replica : replicas) {
            long racks = racks(replicas, replica, replicaRack);
            if (!replica.isMovable() || racks < Math.min(racksNow, RACKS_WANTED)) {
                continue;
            }
            long originals = Math.min(racks(replicas, replica, null), RACKS_WANTED);
            if (best == null
                    || originals > bestOriginals
                    || (originals == bestOriginals && replica.fullness() > best.fullness())) {
                best = replica;
                bestOriginals = originals;
            }
        }
        return best;
    }

    private static long racks(List<? extends Replica> replicas, @Nullable Replica without, @Nullable String with) {
        long racks = replicas.stream()
                .filter(replica -> replica != without)
                .map(Replica::rack)
                .distinct()
                .count();
        boolean isNew = with != null
                && replicas.stream()
                        .noneMatch(
                                replica -> replica != without && replica.rack().equals(with));
        return isNew ? racks + 1 : racks;
    }
}
