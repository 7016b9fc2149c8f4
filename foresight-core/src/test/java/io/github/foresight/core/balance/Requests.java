/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Makes requests from lists, and lists from ordered requests. */
final class Requests {

    static final int NEAR = 2;
    static final long BLOCK_BYTES = 128L << 20;

    private Requests() {}

    /** A request for blocks of one file, all of whose replicas are equally near. */
    static FileReplicas<Integer> request(long file, int firstBlock, List<? extends Collection<Integer>> blocks) {
        FileReplicas<Integer> replicas = new FileReplicas<>();
        fill(replicas, file, firstBlock, blocks);
        return replicas;
    }

    static void fill(
            FileReplicas<Integer> replicas, long file, int firstBlock, List<? extends Collection<Integer>> blocks) {
        replicas.begin(file, firstBlock * BLOCK_BYTES);
        for (int block = 0; block < blocks.size(); block++) {
            replicas.block((file << 16) + firstBlock + block, BLOCK_BYTES);
            for (int node : blocks.get(block)) {
                replicas.replica(node, NEAR);
            }
        }
    }

    /** The nodes of a block in their order. */
    static List<Integer> ordered(FileReplicas<Integer> replicas, int block, Collection<Integer> nodes) {
        List<Integer> added = List.copyOf(nodes);
        List<Integer> ordered = new ArrayList<>();
        for (int place = 0; place < replicas.replicas(block); place++) {
            ordered.add(added.get(replicas.at(block, place)));
        }
        return ordered;
    }

    /** The first node of each block. */
    static List<Integer> firsts(FileReplicas<Integer> replicas, List<? extends Collection<Integer>> blocks) {
        List<Integer> firsts = new ArrayList<>();
        for (int block = 0; block < blocks.size(); block++) {
            firsts.add(List.copyOf(blocks.get(block)).get(replicas.at(block, 0)));
        }
        return firsts;
    }
}
