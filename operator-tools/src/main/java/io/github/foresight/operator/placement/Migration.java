/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves replicas, so many at once over all and per DataNode, and within a bandwidth.
 *
 * <p>Keeps nothing on disk: the present places of the replicas show the remaining moves. A move that fails is looked at anew, by the file's id,
 * and tried again if the block is still there and still must move; so a move that a writer, a deletion or another mover has made
 * obsolete is no failure. Thread-safe.
 */
final class Migration implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Migration.class);
    private static final int ATTEMPTS = 5;
    private static final long RETRY_MILLIS = 500;

    /** Does one move. */
    @FunctionalInterface
    interface Mover {
        void move(BlockMove move) throws IOException;
    }

    /** Looks anew at a block whose move did not succeed. */
    @FunctionalInterface
    interface Planner {

        /** The move as it is to be made now, or null if there is nothing to move any more. */
        @Nullable
        BlockMove again(BlockMove move) throws IOException;
    }

    private final Mover mover;
    private final Planner planner;
    private final BandwidthLimit bandwidth;
    private final int perNode;
    private final Semaphore room;
    private final ExecutorService threads;
    private final Map<String, Semaphore> busy = new ConcurrentHashMap<>();
    private final AtomicLong moved = new AtomicLong();
    private final AtomicLong movedBytes = new AtomicLong();
    private final AtomicLong overtaken = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    Migration(Mover mover, Planner planner, BandwidthLimit bandwidth, int concurrent, int perNode) {
        this.mover = mover;
        this.planner = planner;
        this.bandwidth = bandwidth;
        this.perNode = perNode;
        this.room = new Semaphore(2 * concurrent);
        this.threads = Executors.newFixedThreadPool(concurrent, task -> {
            Thread thread = new Thread(task, "placement migrate");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Begins a file's moves, waiting while too many others wait. */
    void begin(FilePlan plan) throws InterruptedException {
        for (BlockMove move : plan.moves()) {
            room.acquire();
            threads.execute(() -> {
                try {
                    settle(move);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    room.release();
                }
            });
        }
    }

    /** Waits for all that were begun. */
    void await() throws InterruptedException {
        threads.shutdown();
        while (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
            LOG.debug("still moving");
        }
    }

    private void settle(BlockMove planned) throws InterruptedException {
        BlockMove move = planned;
        for (int attempt = 1; ; attempt++) {
            try {
                bandwidth.await(move.bytes());
                alone(move);
                moved.incrementAndGet();
                movedBytes.addAndGet(move.bytes());
                return;
            } catch (IOException e) {
                LOG.info("{} did not succeed in attempt {}: {}", move, attempt, e.toString());
                Thread.sleep(RETRY_MILLIS << attempt);
                BlockMove again = replanned(move);
                if (again == null) {
                    overtaken.incrementAndGet();
                    return;
                }
                if (attempt == ATTEMPTS) {
                    LOG.warn("{} failed {} times, the last time with {}", move, ATTEMPTS, e.toString());
                    failed.incrementAndGet();
                    return;
                }
                move = again;
            }
        }
    }

    /** Moves with no more than so many others at both ends; ends are taken in one order, so that nobody waits for another. */
    private void alone(BlockMove move) throws IOException, InterruptedException {
        boolean senderFirst = move.sender.getDatanodeUuid().compareTo(move.target.getDatanodeUuid()) < 0;
        Semaphore first = busy(senderFirst ? move.sender : move.target);
        Semaphore second = busy(senderFirst ? move.target : move.sender);
        first.acquire();
        try {
            second.acquire();
            try {
                mover.move(move);
            } finally {
                second.release();
            }
        } finally {
            first.release();
        }
    }

    private Semaphore busy(DatanodeInfo node) {
        return busy.computeIfAbsent(node.getDatanodeUuid(), any -> new Semaphore(perNode));
    }

    private @Nullable BlockMove replanned(BlockMove move) {
        try {
            return planner.again(move);
        } catch (FileNotFoundException e) {
            return null;
        } catch (IOException e) {
            LOG.info("whether {} is still to be made is not known: {}", move, e.toString());
            return move;
        }
    }

    long moved() {
        return moved.get();
    }

    long movedBytes() {
        return movedBytes.get();
    }

    /** Moves that were not necessary any more when their turn came. */
    long overtaken() {
        return overtaken.get();
    }

    long failed() {
        return failed.get();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
