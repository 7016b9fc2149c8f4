/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.window;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.hint.HintSender;
import io.github.foresight.client.metrics.ClientMetrics;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.window.Extent;
import io.github.foresight.core.window.MovingWindow;
import io.github.foresight.core.window.MovingWindow.Move;
import io.github.foresight.core.window.MovingWindow.Place;
import io.github.foresight.core.window.WindowMovePolicy;
import io.github.foresight.core.window.WindowTrail;
import io.github.foresight.protocol.conf.ClientKeys;
import io.github.foresight.protocol.hint.HintTarget;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.jspecify.annotations.Nullable;

/**
 * One client's window on one DataNode, over a file or over one of its blocks (NBJLOFS, section 3.2).
 *
 * <p>{@link MovingWindow} decides, {@link HintSender} sends. At most one message is under way. If the window moves meanwhile, the next message
 * says where it is by then. A read is sent to the node once the node has taken a window. So as long as the node does not answer, everything is
 * read from originals. Thread-safe; the monitor is held for decisions only and may be taken with a stream's lock held.
 */
final class NodeWindow {

    private static final long FIRST_PAUSE_MILLIS = 1000;

    private final ClientSettings settings;
    private final HintSender sender;
    private final ClientMetrics metrics = ClientMetrics.INSTANCE;
    private final DatanodeInfo node;
    private final long begin;
    private final long lengthBytes;
    private final Function<Extent, List<HintSender.WindowPart>> parts;

    /** Shared by all windows of the file, and locked for each decision. */
    private final WindowMovePolicy patience;

    /** Shared by all windows of the file. */
    private final WindowTrail trail;

    private final long firstObject;

    @GuardedBy("this")
    private MovingWindow window;

    @GuardedBy("this")
    private long fileId;

    @GuardedBy("this")
    private boolean taken;

    @GuardedBy("this")
    private boolean underWay;

    @GuardedBy("this")
    private boolean movedMeanwhile;

    @GuardedBy("this")
    private long pauseMillis;

    @GuardedBy("this")
    private long pausedUntilNanos;

    /**
     * A window of width 0.
     *
     * @param node the replica node
     * @param covered the bytes of the file that the window may cover
     * @param parts the parts of blocks in some bytes of the file, with their tokens of now
     * @param patience of the file
     * @param trail of the file
     */
    NodeWindow(
            ClientSettings settings,
            HintSender sender,
            DatanodeInfo node,
            Extent covered,
            Function<Extent, List<HintSender.WindowPart>> parts,
            WindowMovePolicy patience,
            WindowTrail trail) {
        this.settings = settings;
        this.sender = sender;
        this.node = node;
        this.begin = covered.begin();
        this.lengthBytes = covered.lengthBytes();
        this.parts = parts;
        this.patience = patience;
        this.trail = trail;
        this.firstObject = begin / settings.windows().objectBytes();
        this.window = new MovingWindow(settings.windows(), lengthBytes, trail, firstObject);
        this.fileId = ThreadLocalRandom.current().nextLong();
    }

    /** The UUID of the replica node. */
    String nodeUuid() {
        return node.getDatanodeUuid();
    }

    /** Whether a DataNode is the replica node, and has the same address still. */
    boolean isOn(@Nullable DatanodeInfo other) {
        return node.equals(other);
    }

    /** A random read from an offset in the file; returns where it is to be sent. */
    synchronized WindowedBlock.Order read(long offset) {
        long place = offset - begin;
        boolean paused = pauseMillis > 0 && System.nanoTime() - pausedUntilNanos < 0;
        if (place < 0 || place >= lengthBytes || paused) {
            return WindowedBlock.Order.STOCK;
        }
        if (!mayMove(window.placeOf(place) != Place.OUTSIDE)) {
            metrics.windowRests.incr();
            return WindowedBlock.Order.STOCK;
        }
        Move move = window.accessed(place);
        if (!move.added().isEmpty()) {
            metrics.windowObjects.incr(move.addedObjects());
            moved();
        }
        if (move.place() == Place.OUTSIDE) {
            metrics.windowMisses.incr();
            return WindowedBlock.Order.REPLICA_NODE_LAST;
        }
        if (!taken) {
            metrics.windowEarly.incr();
            return WindowedBlock.Order.REPLICA_NODE_LAST;
        }
        (move.place() == Place.INSIDE ? metrics.windowHits : metrics.windowTrailHits).incr();
        return WindowedBlock.Order.REPLICA_NODE_FIRST;
    }

    private boolean mayMove(boolean isInside) {
        synchronized (patience) {
            return patience.decideMove(isInside, trail.isUseful());
        }
    }

    @GuardedBy("this")
    private void moved() {
        if (underWay) {
            movedMeanwhile = true;
            return;
        }
        movedMeanwhile = false;
        List<HintSender.WindowPart> covered = covered();
        if (!covered.isEmpty()) {
            long asked = fileId;
            HintTarget target = new HintTarget(node, covered.get(0).block().getBlockToken());
            underWay = sender.window(fileId, target, covered, new HintSender.WindowListener() {
                @Override
                public void taken() {
                    NodeWindow.this.answered(asked, true);
                }

                @Override
                public void notTaken() {
                    NodeWindow.this.answered(asked, false);
                }
            });
        }
    }

    /** The parts of blocks in the window. */
    @GuardedBy("this")
    private List<HintSender.WindowPart> covered() {
        Extent extent = window.extent();
        return parts.apply(Extent.of(begin + extent.begin(), begin + extent.end()));
    }

    private synchronized void answered(long asked, boolean nodeTookIt) {
        underWay = false;
        if (asked != fileId) {
            return;
        }
        if (nodeTookIt) {
            taken = true;
            pauseMillis = 0;
            if (movedMeanwhile) {
                moved();
            }
        } else {
            long longest = settings.get(ClientKeys.HINT_BACKOFF).toMillis();
            pauseMillis = Math.min(longest, pauseMillis == 0 ? FIRST_PAUSE_MILLIS : 2 * pauseMillis);
            pausedUntilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
            startOver();
        }
    }

    /** As if nothing had been read; the node releases the extents of the old number by itself. */
    @GuardedBy("this")
    private void startOver() {
        forgetTrail();
        window = new MovingWindow(settings.windows(), lengthBytes, trail, firstObject);
        fileId = ThreadLocalRandom.current().nextLong();
        taken = false;
    }

    /** Takes this window's objects off the trail, as the replica node does not hold them. */
    void forgetTrail() {
        trail.forget(firstObject, firstObject + lengthBytes / settings.windows().objectBytes() + 1);
    }

    /** Has the replica node give the window up. */
    synchronized void release() {
        List<HintSender.WindowPart> covered = taken ? covered() : Collections.emptyList();
        if (!covered.isEmpty()) {
            sender.release(fileId, new HintTarget(node, covered.get(0).block().getBlockToken()));
        }
    }
}
