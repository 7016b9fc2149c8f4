/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy.NotEnoughReplicasException;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.jspecify.annotations.Nullable;

/** The search for the node that takes the replica of a block that is the replica node's. Not thread-safe. */
final class Search {

    /** Of so many nodes is it asked whether they can take a block before it is left to HDFS. */
    private static final int MOST_ASKED = 8;

    /** How a search ended. */
    enum Outcome {
        /** The replica node, or who stands in for it, was chosen just now. */
        CHOSEN,
        /** It has a replica. */
        HELD,
        /** It could take one, but for the others in its rack. */
        CROWDED,
        /** It has to do with too many others at the moment. */
        BUSY,
        /** None could take one. */
        NONE
    }

    /** HDFS's own check of a node, and ours; what can take a replica has it then. */
    @FunctionalInterface
    interface Taker {
        boolean take(DatanodeDescriptor node) throws NotEnoughReplicasException;
    }

    /** Whether a node may be asked now; if not, HDFS's own rules place the replica, and no node stands in. */
    @FunctionalInterface
    interface Gate {
        Gate OPEN = node -> true;

        boolean isOpen(DatanodeDescriptor node);
    }

    private final PlacementMetrics metrics;
    private final Candidates candidates;

    /** Replicas that have a place already besides those that HDFS shows. */
    private final List<DatanodeStorageInfo> besides;

    private boolean standsIn;
    private @Nullable DatanodeDescriptor crowded;

    Search(PlacementMetrics metrics, Candidates candidates, List<DatanodeStorageInfo> besides) {
        this.metrics = metrics;
        this.candidates = candidates;
        this.besides = besides;
    }

    /** Gives the block's replica to the first node that has one, or can take it. */
    Outcome run(Choice choice, Gate gate, Taker taker) throws NotEnoughReplicasException {
        Outcome outcome = seek(choice, gate, taker);
        count(outcome);
        return outcome;
    }

    private Outcome seek(Choice choice, Gate gate, Taker taker) throws NotEnoughReplicasException {
        int asked = 0;
        while (asked < MOST_ASKED) {
            DatanodeDescriptor node =
                    candidates.next(any -> choice.isServedBy(any) || choice.isOn(any) || Choice.isOn(any, besides));
            if (node == null) {
                return Outcome.NONE;
            }
            standsIn = !candidates.isReplicaNode(node);
            if (choice.isOn(node) || Choice.isOn(node, besides)) {
                return Outcome.HELD;
            }
            asked++;
            if (!gate.isOpen(node)) {
                return Outcome.BUSY;
            }
            if (choice.isCrowded(node)) {
                crowded = node;
                return Outcome.CROWDED;
            }
            if (taker.take(node)) {
                return Outcome.CHOSEN;
            }
        }
        return Outcome.NONE;
    }

    private void count(Outcome outcome) {
        switch (outcome) {
            case CHOSEN:
                if (standsIn) {
                    candidates.stoodIn();
                    metrics.stoodIn.incr();
                } else {
                    metrics.placed.incr();
                }
                break;
            case HELD:
                metrics.held.incr();
                break;
            case BUSY:
                metrics.deferred.incr();
                break;
            default:
                metrics.left.incr();
        }
    }

    /** The replica node where it could have taken the replica but for the others in its rack; else null. */
    @Nullable
    DatanodeDescriptor crowded() {
        return crowded;
    }
}
