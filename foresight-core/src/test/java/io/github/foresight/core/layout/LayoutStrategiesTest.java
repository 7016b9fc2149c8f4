/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.LongToIntFunction;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Compares the paper's two strategies: the moves when a system of single copies is converted, and when a node joins or
 * leaves. The bound is the least number of moves of any even layout.
 */
final class LayoutStrategiesTest {

    private static final int FILES = 2000;
    private static final int OBJECTS = 20;
    private static final double ALL = FILES * OBJECTS;

    private static LongToIntFunction rendezvous(int nodes) {
        ReplicaNodes.Builder<Integer> builder = ReplicaNodes.builder();
        for (int i = 0; i < nodes; i++) {
            builder.add(i, "node-" + i, 1);
        }
        ReplicaNodes<Integer> table = builder.build();
        return file -> table.first(LayoutHash.ofFile(file));
    }

    private static LayoutStrategy migration(int nodes) {
        return new MigrationStrategy(new NamespaceSplit(nodes), rendezvous(nodes));
    }

    private static LayoutStrategy repartition(int nodes) {
        return new RepartitionStrategy(new NamespaceSplit(nodes), rendezvous(nodes));
    }

    @FunctionalInterface
    private interface ObjectPredicate {
        boolean test(long file, int object);
    }

    /** The share of all objects for which a predicate holds. */
    private static double share(ObjectPredicate predicate) {
        long count = 0;
        for (long file = 0; file < FILES; file++) {
            for (int object = 0; object < OBJECTS; object++) {
                if (predicate.test(file, object)) {
                    count++;
                }
            }
        }
        return count / ALL;
    }

    @Property(tries = 50)
    void bothStrategies_areOrthogonalAndInRange(
            @ForAll @IntRange(min = 2, max = 40) int nodes, @ForAll @IntRange(min = 0, max = 1 << 30) int file) {
        for (LayoutStrategy strategy : new LayoutStrategy[] {migration(nodes), repartition(nodes)}) {
            int replicaNode = strategy.replicaNode(file);
            assertThat(replicaNode).isBetween(0, nodes - 1);
            for (int object = 0; object < OBJECTS; object++) {
                assertThat(strategy.originalNode(file, object))
                        .isBetween(0, nodes - 1)
                        .isNotEqualTo(replicaNode);
            }
        }
    }

    @Property(tries = 20)
    void bothStrategies_spreadOriginalsEvenly(@ForAll @IntRange(min = 2, max = 12) int nodes) {
        for (LayoutStrategy strategy : new LayoutStrategy[] {migration(nodes), repartition(nodes)}) {
            for (int i = 0; i < nodes; i++) {
                int node = i;
                assertThat(share((file, object) -> strategy.originalNode(file, object) == node))
                        .isCloseTo(1.0 / nodes, within(0.1 / nodes + 0.005));
            }
        }
    }

    /**
     * Section 3.1 says that repartition "re-distribute all objects". If segments keep their order, it moves at least a
     * third. This is still many times the moves of migration, which are the fewest possible.
     */
    @Example
    void convertingSingleCopies_migrationMovesOnlyOriginalsOnReplicaNodes() {
        int nodes = 6;
        NamespaceSplit before = new NamespaceSplit(nodes);
        LayoutStrategy migration = migration(nodes);
        LayoutStrategy repartition = repartition(nodes);
        double mustMove = share((file, object) -> before.node(file, object) == migration.replicaNode(file));
        double byMigration = share((file, object) -> before.node(file, object) != migration.originalNode(file, object));
        double byRepartition =
                share((file, object) -> before.node(file, object) != repartition.originalNode(file, object));
        assertThat(byMigration).as("the least there is").isEqualTo(mustMove);
        assertThat(mustMove).isCloseTo(1.0 / nodes, within(0.01));
        assertThat(byRepartition).isBetween(0.33, 0.45).isGreaterThan(2 * mustMove);
    }

    @Example
    void joiningNode_replicasMoveByItsShareAndOriginalsByTheSplit() {
        int nodes = 6;
        double least = 1.0 / (nodes + 1);
        LongToIntFunction segmentsBefore = new NamespaceSplit(nodes).replicaNodes();
        LongToIntFunction segmentsAfter = new NamespaceSplit(nodes + 1).replicaNodes();
        LongToIntFunction before = rendezvous(nodes);
        LongToIntFunction after = rendezvous(nodes + 1);
        double bySegments = share((file, object) -> segmentsBefore.applyAsInt(file) != segmentsAfter.applyAsInt(file));
        double byRendezvous = share((file, object) -> before.applyAsInt(file) != after.applyAsInt(file));
        assertThat(byRendezvous).isCloseTo(least, within(0.03));
        assertThat(bySegments).isGreaterThan(3 * least);
    }

    /** Name space splitting itself moves half of all originals when a node joins or leaves, with either strategy. */
    @Example
    void joiningOrLeavingNode_originalsMoveAlikeByBothStrategies() {
        for (int nodes = 4; nodes <= 12; nodes++) {
            double byMigration = movedByOneNodeMore(migration(nodes), migration(nodes + 1));
            double byRepartition = movedByOneNodeMore(repartition(nodes), repartition(nodes + 1));
            double least = 1.0 / (nodes + 1);
            assertThat(byMigration).as("%d nodes", nodes).isBetween(0.45, 0.57).isGreaterThan(2 * least);
            assertThat(byRepartition)
                    .as("%d nodes", nodes)
                    .isBetween(0.45, 0.57)
                    .isGreaterThan(2 * least);
        }
    }

    private static double movedByOneNodeMore(LayoutStrategy before, LayoutStrategy after) {
        return share((file, object) -> before.originalNode(file, object) != after.originalNode(file, object));
    }
}
