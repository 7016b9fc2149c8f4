/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * When readers come, and what each of them reads. The same for all sides with the same seed.
 *
 * <p>Readers come at random, at a rate on the average, and each takes another file, so that all are cold. One reader in {@value #EARLY}
 * stops after a quarter of its file. Not thread-safe.
 */
final class StressArrivals {

    private static final int EARLY = 4;

    /** A reader. */
    record Reader(long atNanos, int file, long bytes) {}

    private StressArrivals() {}

    /**
     * The readers of one pass, in the order in which they come.
     *
     * @param perSecond readers on the average
     * @param files of which each reader takes another, by number
     * @param pieceBytes a file's share that a reader reads is a multiple of this
     */
    static List<Reader> of(
            double perSecond, double seconds, List<Integer> files, long fileBytes, int pieceBytes, Random random) {
        List<Reader> readers = new ArrayList<>();
        double at = 0;
        for (int file : files) {
            at -= Math.log(1 - random.nextDouble()) / perSecond;
            if (at >= seconds) {
                break;
            }
            boolean stopsEarly = random.nextInt(EARLY) == 0;
            long pieces = fileBytes / pieceBytes;
            readers.add(new Reader(
                    (long) (at * 1e9), file, pieceBytes * (stopsEarly ? Math.max(1, pieces / EARLY) : pieces)));
        }
        return readers;
    }
}
