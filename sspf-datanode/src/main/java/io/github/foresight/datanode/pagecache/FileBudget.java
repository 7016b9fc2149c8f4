/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many descriptors and mappings files that Foresight holds open may have, and how many they have. HDFS and the JVM need the rest of the
 * process's limit: a JVM that gets no more mappings dies.
 *
 * <p>The kernel counts a mapping once for each part of it that differs from its neighbours in being locked; so does this class.
 * Thread-safe, without a lock.
 */
public final class FileBudget {

    /** What locking one more range adds at most: the range lies in the middle of a part, which becomes three. */
    static final int RANGE_MAPPINGS = 2;

    private final long maxDescriptors;
    private final long maxMappings;
    private final AtomicLong descriptors = new AtomicLong();
    private final AtomicLong mappings = new AtomicLong();

    /** A budget of which nothing is taken yet. */
    public FileBudget(long maxDescriptors, long maxMappings) {
        this.maxDescriptors = maxDescriptors;
        this.maxMappings = maxMappings;
    }

    public static FileBudget unlimited() {
        return new FileBudget(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    public long maxDescriptors() {
        return maxDescriptors;
    }

    public long maxMappings() {
        return maxMappings;
    }

    /** Descriptors that are open. */
    public long descriptors() {
        return descriptors.get();
    }

    /** Mappings as the kernel counts them; in the middle of a call at most {@value #RANGE_MAPPINGS} more for each thread. */
    public long mappings() {
        return mappings.get();
    }

    /**
     * Takes the descriptors that an open file needs.
     *
     * @param mapped whether ranges of the file are to be locked; there must be room for a mapping then, which is not taken yet
     * @throws OverBudgetException if there is no room; nothing is taken then
     */
    public void open(Path path, boolean mapped) throws OverBudgetException {
        if (mapped && mappings.get() + 1 + RANGE_MAPPINGS > maxMappings) {
            throw new OverBudgetException(path + " is not opened: " + maxMappings + " mappings are in use");
        }
        if (!tryTake(descriptors, 1, maxDescriptors)) {
            throw new OverBudgetException(path + " is not opened: " + maxDescriptors + " descriptors are in use");
        }
    }

    /** Gives back what {@link #open} took. */
    public void closed() {
        descriptors.decrementAndGet();
    }

    /** Takes mappings; false and none if there are not so many. */
    boolean tryMap(int count) {
        return tryTake(mappings, count, maxMappings);
    }

    /** Corrects by how many mappings there are, up or down. */
    void adjustMappings(int difference) {
        mappings.addAndGet(difference);
    }

    private static boolean tryTake(AtomicLong taken, int count, long max) {
        long before;
        do {
            before = taken.get();
            if (before > max - count) {
                return false;
            }
        } while (!taken.compareAndSet(before, before + count));
        return true;
    }
}
