/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.lease;

import io.github.foresight.client.lease.LeaseHub.Parking;
import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.LeaseMarkProto;
import io.github.foresight.protocol.proto.NoteProtos.LeaseReplyProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetServerDefaultsRequestProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.ShutdownHookManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that keeps a call parked at a NameNode, through which recalls reach this JVM at once.
 *
 * <p>A parked call comes back with the next recall, or after a third of the lease, and renews the lease. So the lease lasts while the
 * JVM uses its layouts. The next call acknowledges the recalls of the last call. The thread waits before a call that follows a failure, a
 * refusal, or several answers in a row that came at once and brought nothing. It ends when the hub has nothing to park.
 *
 * <p>At the end of the hub this thread gives the lease back. A second thread, which lives for {@link #RELEASE_MAX} at most, ends that call
 * and closes the connection. A JVM that ends waits for the two for {@link #RELEASE_AT_EXIT_MAX}.
 */
final class RecallCalls implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(RecallCalls.class);

    /** The first wait after a failure; doubles up to the lease. */
    private static final long FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The first wait after answers that brought nothing; doubles up to a quarter of the lease. */
    private static final long FRUITLESS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** One or two are no surprise: a recall can reach the JVM with another reply first. */
    private static final int FRUITLESS_MAX = 3;

    private static final int DOUBLINGS_MAX = 20;

    /** How long the lease's return may take. Chosen, not measured. */
    private static final Duration RELEASE_MAX = Duration.ofSeconds(1);

    /**
     * How long a JVM that ends waits for the lease's return, which would be cut off otherwise. A lease that is not returned delays the next
     * change of a file that the JVM has read, by up to a whole lease. Programs that read and then delete would wait each time. A return
     * takes one round trip; a NameNode that takes longer than this is waited for no more. Chosen, not measured.
     */
    private static final Duration RELEASE_AT_EXIT_MAX = Duration.ofMillis(100);

    /** After the hooks of HDFS and of applications, so that the return has had their time as well. */
    private static final int EXIT_HOOK_PRIORITY = 0;

    private final LeaseHub hub;
    private final Thread thread = new Thread(this, "foresight-recalls");
    private int failures;
    private int fruitless;
    private int turn;
    private volatile @Nullable Runnable lastCall;

    RecallCalls(LeaseHub hub) {
        this.hub = hub;
        thread.setDaemon(true);
        thread.setContextClassLoader(RecallCalls.class.getClassLoader());
    }

    void start() {
        thread.start();
    }

    @Override
    public void run() {
        try {
            for (Parking next = hub.nextParking(turn); next != null; next = hub.nextParking(turn)) {
                hub.pause(park(next));
            }
        } catch (InterruptedException e) {
            LOG.debug("The parked call ends with its hub");
        } catch (RuntimeException | LinkageError e) {
            hub.abandon(e);
        } finally {
            hub.died(this);
        }
        Runnable release = lastCall;
        if (release != null) {
            // The interrupt that ended the parked call may have come between two calls.
            Thread.interrupted();
            release.run();
        }
    }

    /** Makes one call; returns how long to wait before the next. */
    private long park(Parking parking) throws InterruptedException {
        long begun = hub.nanoTime();
        NameNodeNoteProto note;
        try {
            hub.events().parked();
            note = called(parking.member.nameNode(), parking.request.mark().setParkMillis((int)
                    TimeUnit.NANOSECONDS.toMillis(parking.nanos)));
        } catch (ServiceException | RuntimeException e) {
            if (Thread.interrupted() || lastCall != null) {
                throw new InterruptedException("while a call was parked");
            }
            hub.events().parkFailed();
            LOG.debug("A call could not be parked at {}", hub.address(), e);
            turn++;
            return doubled(FAILURE_NANOS, failures++, hub.leaseNanos());
        }
        failures = 0;
        if (note == null || !note.hasLease()) {
            hub.grantsNone();
            return 0;
        }
        LeaseReplyProto reply = note.getLease();
        boolean fruitful = hub.receive(parking.request, reply);
        if (reply.getParkRefused()) {
            return hub.leaseNanos() / 4;
        }
        boolean atOnce = hub.nanoTime() - begun < parking.nanos / 2;
        fruitless = fruitful || !atOnce ? 0 : fruitless + 1;
        return fruitless < FRUITLESS_MAX
                ? 0
                : doubled(FRUITLESS_NANOS, fruitless - FRUITLESS_MAX, hub.leaseNanos() / 4);
    }

    private static long doubled(long first, int times, long max) {
        return Math.min(max, first << Math.min(times, DOUBLINGS_MAX));
    }

    private static @Nullable NameNodeNoteProto called(ClientNamenodeProtocolPB nameNode, LeaseMarkProto.Builder mark)
            throws ServiceException {
        return Notes.nameNodeNote(nameNode.getServerDefaults(
                null,
                GetServerDefaultsRequestProto.newBuilder()
                        .setUnknownFields(
                                Notes.fieldsWith(ClientNoteProto.newBuilder().setLease(mark)))
                        .build()));
    }

    /** The thread is to give the lease back before it ends; said while it cannot end. */
    void giveBack(LeaseMember last, MarkedRequest request) {
        lastCall = () -> {
            try {
                called(last.nameNode(), request.mark().setReleased(true));
            } catch (ServiceException | RuntimeException e) {
                LOG.debug("The lease of {} runs out by itself", hub.address(), e);
            }
        };
    }

    /**
     * Returns the lease and closes the connection, in the background. If the JVM ends meanwhile, it waits for this for {@link
     * #RELEASE_AT_EXIT_MAX} at most: in a hook of its own, or here if hooks are running already.
     */
    void close(Runnable stopping) {
        CountDownLatch released = new CountDownLatch(1);
        Runnable waiting = () -> waitAtExit(released);
        boolean hooked = addExitHook(waiting);
        Thread closer = new Thread(
                () -> {
                    try {
                        endWithin(stopping);
                    } finally {
                        released.countDown();
                        removeExitHook(waiting);
                    }
                },
                "foresight-release");
        closer.setDaemon(true);
        closer.setContextClassLoader(RecallCalls.class.getClassLoader());
        closer.start();
        if (!hooked) {
            waiting.run();
        }
    }

    /** Returns false if the JVM is ending already. */
    private static boolean addExitHook(Runnable hook) {
        try {
            ShutdownHookManager.get()
                    .addShutdownHook(hook, EXIT_HOOK_PRIORITY, RELEASE_MAX.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private static void removeExitHook(Runnable hook) {
        try {
            ShutdownHookManager.get().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("The JVM ends just now", e);
        }
    }

    private static void waitAtExit(CountDownLatch released) {
        try {
            if (!released.await(RELEASE_AT_EXIT_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("A lease is left to run out by itself");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void endWithin(Runnable stopping) {
        thread.interrupt();
        join(thread, RELEASE_MAX);
        thread.interrupt();
        try {
            stopping.run();
        } catch (RuntimeException e) {
            LOG.debug("The connection to {} is closed already", hub.address(), e);
        }
    }

    private static void join(Thread other, Duration max) {
        try {
            other.join(max.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
