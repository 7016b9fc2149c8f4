/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says which replica of a block must move so that the file's replica node has one: the migration strategy, for replicas that lie
 * where another policy has put them.
 *
 * <p>A block of which the replica node has a replica stays as it is; of any other one replica moves there. So the moves of a file
 * are as many as its blocks without a replica on that node, and no plan for this node can do with fewer.
 *
 * <p>Which of its replicas moves: one that leaves the block in no fewer racks, or in two, where that is possible; among those, one
 * that leaves the originals in more racks, so that the next replica node will find room beside them after a loss; then the
 * replica on the fullest node. Immutable and thread-safe. NBJLOFS, section 3.1.
 */
public final class ReplicaMoves {

    private static final int RACKS_WANTED = 2;

    /** One replica of a block. */
    public interface Replica {

        /** Whether it lies on the file's replica node. */
        boolean isOnReplicaNode();

        /** Whether it may go: its node is at work, and the replica node has room of its kind. */
        boolean isMovable();

        String rack();

        /** How full its node is, in [0, 1]. */
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
     * @param replicas of the block, none of them on the replica node
     * @param replicaRack the replica node's
     * @return null if none may
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
