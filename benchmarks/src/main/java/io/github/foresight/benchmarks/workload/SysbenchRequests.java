/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.util.SplittableRandom;

/**
 * The order of {@code sysbench fileio}'s requests. In mode {@code seqrd} the threads take the next piece of the files in turn, from the
 * beginning of the first file to the end of the last. In mode {@code rndrd} each request is for any piece of any file. Thread-safe.
 */
public final class SysbenchRequests {

    /** sysbench's word for a test, {@code --file-test-mode}. */
    public enum Mode {
        SEQRD,
        RNDRD
    }

    private final Mode mode;
    private final long placesOfFile;
    private final long places;
    private final SplittableRandom random;
    private long position;

    /**
     * The requests of one pass.
     *
     * @param files at least 1
     * @param placesOfFile requests that fit into a file, at least 1
     */
    public SysbenchRequests(Mode mode, int files, long placesOfFile, long seed) {
        this.mode = mode;
        this.placesOfFile = placesOfFile;
        this.places = files * placesOfFile;
        this.random = new SplittableRandom(seed);
    }

    /** The next request; -1 where a sequential pass has read all files. */
    synchronized long next() {
        if (mode == Mode.RNDRD) {
            return random.nextLong(places);
        }
        return position < places ? position++ : -1;
    }

    int file(long request) {
        return (int) (request / placesOfFile);
    }

    /** Counts requests from the beginning of the file. */
    long place(long request) {
        return request % placesOfFile;
    }
}
