/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.util.Arrays;
import java.util.SplittableRandom;

/** The orders in which clients open files. Equal arguments give equal orders. Immutable. */
public final class OpenOrders {

    /** The likeness of one order to another. */
    public enum Kind {
        /** Runs of files, such as the inputs of a job. All clients open a run in the same order; each client has its own order of runs. */
        SHARED,
        /** Each client has an order of its own, which is unlike the others, and keeps to it. */
        OWN,
        /** No client opens its files twice in the same order. */
        RANDOM
    }

    private static final int RUN = 50;

    private final Kind kind;
    private final int files;
    private final int opens;

    /**
     * Orders of a kind.
     *
     * @param files the number of files, at least 1
     * @param opens of each client in one pass; a client opens all files before it opens one again
     */
    public OpenOrders(Kind kind, int files, int opens) {
        if (files < 1) {
            throw new IllegalArgumentException("files must be at least 1: " + files);
        }
        this.kind = kind;
        this.files = files;
        this.opens = opens;
    }

    /**
     * A client's order in one pass.
     *
     * @param round each round has new orders
     * @param pass of the round; only {@link Kind#RANDOM} has another order in each pass
     */
    public int[] of(int round, int pass, int client) {
        switch (kind) {
            case SHARED:
                return inRuns(permutation(files, seed(round, 0, -1)), new SplittableRandom(seed(round, 0, client)));
            case OWN:
                return singly(new SplittableRandom(seed(round, 0, client)));
            default:
                return singly(new SplittableRandom(seed(round, pass, client)));
        }
    }

    private int[] inRuns(int[] all, SplittableRandom random) {
        int runs = (files + RUN - 1) / RUN;
        int[] order = new int[opens];
        int size = 0;
        while (size < opens) {
            for (int run : permutation(runs, random.nextLong())) {
                int begin = run * RUN;
                int length = Math.min(Math.min(RUN, files - begin), opens - size);
                System.arraycopy(all, begin, order, size, length);
                size += length;
            }
        }
        return order;
    }

    private int[] singly(SplittableRandom random) {
        int[] order = new int[opens];
        for (int size = 0; size < opens; size += files) {
            System.arraycopy(permutation(files, random.nextLong()), 0, order, size, Math.min(files, opens - size));
        }
        return order;
    }

    private static int[] permutation(int size, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] numbers = new int[size];
        Arrays.setAll(numbers, i -> i);
        for (int i = size - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int swapped = numbers[i];
            numbers[i] = numbers[other];
            numbers[other] = swapped;
        }
        return numbers;
    }

    private static long seed(int round, int pass, int client) {
        return (round * 1_000_003L + pass) * 1_000_003L + client;
    }
}
