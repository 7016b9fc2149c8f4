/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Files with random placement. */
final class Placements {

    private Placements() {}

    /** For each block, {@code replication} different nodes out of {@code nodes}. */
    static List<List<Integer>> random(long seed, int nodes, int replication, int blocks) {
        Random random = new Random(seed);
        return Stream.generate(() -> random.ints(0, nodes)
                        .distinct()
                        .limit(replication)
                        .boxed()
                        .toList())
                .limit(blocks)
                .toList();
    }
}
