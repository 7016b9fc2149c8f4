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
 * Moves replicas within a bandwidth, with a limited number of moves at once, in the cluster and for each DataNode.
 *
 * <p>It keeps no state on disk, because the places of replicas determine the remaining moves. After a failed move it plans the block anew, by
 * the id of its file, and moves it again if it still must move. A move that a writer, a deletion or another mover has made unnecessary is no
 * failure. Thread-safe.
 */
final class Migration implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Migration.class);
    private static final int ATTEMPTS = 5;
    private static final long RETRY_MILLIS = 500;

    /** Executes a move. */
    @FunctionalInterface
    interface Mover {
        void move(BlockMove move) throws IOException;
    }

    /** Plans a block anew after a failed move. */
    @FunctionalInterface
    interface Planner {

        /** The new move, or null if the block need not move any more. */
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

    /** Starts the moves of a file; blocks while too many moves wait. */
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

    /** Waits for all started moves. */
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

    /** Moves a replica within the limits of both its nodes. Permits are taken in one order, against deadlock. */
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

    /** The number of moves that became unnecessary before they ran. */
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
