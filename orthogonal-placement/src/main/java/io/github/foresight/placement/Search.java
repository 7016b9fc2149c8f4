/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy.NotEnoughReplicasException;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.jspecify.annotations.Nullable;

/** The search for the node that takes the block's replica on the replica node. Not thread-safe. */
final class Search {

    /** The largest number of nodes checked for a block. After them HDFS places the replica. */
    private static final int MOST_ASKED = 8;

    /** How a search ended. */
    enum Outcome {
        /** The search chose the replica node or a stand-in node. */
        CHOSEN,
        /** The node already has a replica. */
        HELD,
        /** The node's rack has too many replicas of the block. */
        CROWDED,
        /** The node takes no replica now, because it is busy or has too many scheduled blocks. */
        BUSY,
        /** No checked node could take a replica. */
        NONE
    }

    /** Checks a node by the rules of HDFS and Foresight, and gives the replica to a node that passes. */
    @FunctionalInterface
    interface Taker {
        boolean take(DatanodeDescriptor node) throws NotEnoughReplicasException;
    }

    /** Decides whether a node may be checked now. If not, HDFS's own rules place the replica, and no stand-in node is searched. */
    @FunctionalInterface
    interface Gate {
        Gate OPEN = node -> true;

        boolean isOpen(DatanodeDescriptor node);
    }

    private final PlacementMetrics metrics;
    private final Candidates candidates;

    /** Replicas that already have a place on favoured nodes, which HDFS does not show in the list of results. */
    private final List<DatanodeStorageInfo> besides;

    private boolean standsIn;
    private @Nullable DatanodeDescriptor crowded;

    Search(PlacementMetrics metrics, Candidates candidates, List<DatanodeStorageInfo> besides) {
        this.metrics = metrics;
        this.candidates = candidates;
        this.besides = besides;
    }

    /** Ends at the first node that already has a replica, or gives the replica to the first node that can take it. */
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
                    metrics.onStandInNode.incr();
                } else {
                    metrics.placed.incr();
                }
                break;
            case HELD:
                metrics.alreadyOnReplicaNode.incr();
                break;
            case BUSY:
                metrics.deferred.incr();
                break;
            default:
                metrics.notOrthogonal.incr();
        }
    }

    /** Returns the node whose rack has too many replicas, if the search ended for this reason; null otherwise. */
    @Nullable
    DatanodeDescriptor crowded() {
        return crowded;
    }
}
