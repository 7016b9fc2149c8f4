/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.hint.BlockSequences;
import io.github.foresight.core.hint.BlockSequences.Placed;
import io.github.foresight.core.hint.HintWindow;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.core.hint.ReadIntent;
import io.github.foresight.core.hint.ReadPattern;
import io.github.foresight.core.hint.ReadPattern.Advice;
import io.github.foresight.protocol.conf.ClientKeys;
import io.github.foresight.protocol.hint.HintTarget;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.net.NetUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hints that one stream's DataNodes get: nothing until it reads, its first block then, all that is to come once it has been
 * seen to read on. {@link ReadPattern} decides, {@link HintSender} sends. Thread-safe.
 */
final class StreamHints {

    private static final Logger LOG = LoggerFactory.getLogger(StreamHints.class);

    /** The time from a first hint to the first look for progress. */
    private static final long FIRST_ASK_MILLIS = 20;

    private static final double ASK_GROWTH = 1.5;

    /** The last question comes about twenty seconds after the first. */
    private static final int MAX_ASKS = 16;

    /** A look at an own stream costs no message. */
    private static final double LOOK_GROWTH = 1.2;

    /** The last look comes about twenty seconds after the first. */
    private static final int MAX_LOOKS = 30;

    private final String clientName;
    private final ClientSettings settings;
    private final HintSender sender;
    private final OpenFile file;
    private final ReadIntent intent;

    @GuardedBy("this")
    private final ReadPattern pattern;

    @GuardedBy("this")
    private final HintWindow window;

    @GuardedBy("this")
    private final Set<HintTarget> hinted = new HashSet<>();

    /** The block after the last that was hinted for reads by position. */
    @GuardedBy("this")
    private int sequenceHintedTo;

    /** A new one each time the stream begins anew, so that a DataNode does not take a second reading for the first. */
    @GuardedBy("this")
    private long fileId = ThreadLocalRandom.current().nextLong();

    /** The stream has turned to the file's begin last, and will turn to the rest of the first part. */
    @GuardedBy("this")
    private boolean hasBegun;

    /** The cut of the file, by {@link OpenFile#cuts}, that the hints are of. */
    @GuardedBy("this")
    private int hintedCuts;

    /** Counts turns, so that an answer about an earlier one is known as such. */
    @GuardedBy("this")
    private int turn;

    StreamHints(String clientName, ClientSettings settings, HintSender sender, OpenFile file, ReadIntent intent) {
        this.clientName = clientName;
        this.settings = settings;
        this.sender = sender;
        this.file = file;
        this.intent = intent;
        this.pattern = new ReadPattern(
                Math.max(1, file.layout().size()), settings.get(ClientKeys.HINT_EVIDENCE), intent.order());
        this.window = new HintWindow(file.windowParts());
    }

    /** The stream turns to the file's begin, and reads no farther than is needed to count as sequential. */
    synchronized void recordBegin() {
        hasBegun = false;
        recordBlockRead(0);
        hasBegun = true;
    }

    synchronized void recordBlockRead(int index) {
        if (hasBegun && index == 0) {
            hasBegun = false;
            file.hinted(System.nanoTime());
            hasProgressed(settings.get(ClientKeys.HINT_EVIDENCE));
            return;
        }
        hasBegun = false;
        boolean wasSequential = pattern.isSequential();
        Advice advice = pattern.recordBlockRead(index);
        if (advice == Advice.NONE) {
            return;
        }
        turn++;
        file.hinted(System.nanoTime());
        if (advice == Advice.HINT && !wasSequential) {
            sender.metrics().streamsSequential.incr();
        }
        follow(advice, index);
    }

    /**
     * Reads by position go on from front to back, and are in a block. Hints the blocks from there on that begin before {@code endBytes} of
     * the file, if one of them has not been hinted.
     */
    synchronized void recordSequence(int index, long endBytes) {
        file.hinted(System.nanoTime());
        List<Placed<HintTarget>> blocks =
                BlockSequences.window(file.layout(), index, file.windowParts(), Math.min(endBytes, intent.endBytes()));
        if (index + blocks.size() > sequenceHintedTo) {
            if (sequenceHintedTo == 0) {
                sender.metrics().streamsSequential.incr();
            }
            sequenceHintedTo = index + blocks.size();
            hintAll(blocks);
        }
        file.extendFrom(index);
    }

    @GuardedBy("this")
    private void follow(Advice advice, int index) {
        LOG.debug("A stream of {} at block {}: {}", clientName, index, advice);
        switch (advice) {
            case WATCH:
                sender.metrics().streamsWatched.incr();
                window.reset();
                hintFirst(index);
                break;
            case HINT:
                hintAll(index);
                file.extendFrom(index);
                break;
            case WITHDRAW:
                sender.metrics().streamsRandom.incr();
                file.released();
                releaseAll();
                break;
            default:
                break;
        }
    }

    /**
     * Hints the block alone, or as much of it as is read before the file's cut is decided. Looks for progress a little later: at the
     * application's own stream, or else at the DataNode that serves the block.
     */
    @GuardedBy("this")
    private void hintFirst(int index) {
        List<Placed<HintTarget>> blocks = windowFrom(index);
        HintTarget node = blocks.get(0).node();
        beginHints();
        List<Placed<HintTarget>> sequence = new ArrayList<>();
        HintedBlock first = blocks.get(0).block();
        long undecided = index == 0 ? file.undecidedBytes() : 0;
        if (undecided > 0) {
            sequence.add(new Placed<>(first.part(0, Math.min(undecided, first.endBytes())), node));
        } else {
            for (Placed<HintTarget> placed : blocks) {
                if (placed.node().equals(node)) {
                    sequence.add(placed);
                }
            }
        }
        if (!isLocalShortCircuit(node)) {
            hinted.add(node);
            int askedTurn = turn;
            OpenStream stream = file.onlyStream();
            boolean isKnown = stream != null;
            sender.hint(
                    fileId,
                    clientName,
                    node,
                    sequence,
                    false,
                    isKnown
                            ? HintSender.ProgressListener.NOBODY
                            : (bytesRead, openStreams) -> progressed(node, askedTurn, 0, bytesRead, openStreams));
            if (stream != null) {
                lookLater(new WeakReference<>(stream), stream.streamedBytes(), askedTurn, 0);
            }
        }
    }

    @GuardedBy("this")
    private void beginHints() {
        releaseAll();
        fileId = ThreadLocalRandom.current().nextLong();
        hintedCuts = file.cuts();
    }

    @GuardedBy("this")
    private void hintAll(int index) {
        file.decide();
        if (hintedCuts != file.cuts()) {
            beginHints();
        }
        List<Placed<HintTarget>> layout = file.layout();
        if (!window.isDue(index, layout.size())) {
            return;
        }
        window.hintedFrom(index, layout.size());
        hintAll(windowFrom(index));
    }

    @GuardedBy("this")
    private void hintAll(List<Placed<HintTarget>> blocks) {
        Map<HintTarget, List<Placed<HintTarget>>> sequences = new HashMap<>();
        for (Placed<HintTarget> placed : blocks) {
            sequences
                    .computeIfAbsent(placed.node(), unused -> new ArrayList<>())
                    .add(placed);
        }
        sequences.keySet().removeIf(this::isLocalShortCircuit);
        sequences.forEach((node, sequence) ->
                sender.hint(fileId, clientName, node, sequence, true, HintSender.ProgressListener.NOBODY));
        hinted.addAll(sequences.keySet());
    }

    /** Nothing more will be read. A session whose blocks are all read is not released: its DataNode ends it when it idles or its room is needed. */
    synchronized void end() {
        turn++;
        window.reset();
        file.released();
        if (file.isLast(pattern.currentBlock())) {
            hinted.clear();
        } else {
            releaseAll();
        }
    }

    @GuardedBy("this")
    private void releaseAll() {
        for (HintTarget node : hinted) {
            sender.release(fileId, node);
        }
        hinted.clear();
    }

    private List<Placed<HintTarget>> windowFrom(int index) {
        return BlockSequences.window(file.layout(), index, file.windowParts(), intent.endBytes());
    }

    /** A replica on this very host that is read past the DataNode needs no DataNode's help to come from the page cache. */
    private boolean isLocalShortCircuit(HintTarget target) {
        return settings.readsShortCircuit()
                && NetUtils.isLocalAddress(
                        NetUtils.createSocketAddr(target.node().getXferAddr()).getAddress());
    }

    @GuardedBy("this")
    private void lookLater(WeakReference<OpenStream> stream, long bytesBefore, int askedTurn, int looks) {
        if (looks < MAX_LOOKS) {
            sender.later(delayMillis(LOOK_GROWTH, looks), () -> look(stream, bytesBefore, askedTurn, looks));
        }
    }

    private synchronized void look(WeakReference<OpenStream> stream, long bytesBefore, int askedTurn, int looks) {
        OpenStream open = stream.get();
        if (open == null || isOver(askedTurn)) {
            return;
        }
        if (!hasProgressed(open.streamedBytes() - bytesBefore)) {
            lookLater(stream, bytesBefore, askedTurn, looks + 1);
        }
    }

    private static long delayMillis(double growth, int asks) {
        return Math.round(FIRST_ASK_MILLIS * Math.pow(growth, asks));
    }

    @GuardedBy("this")
    private boolean isOver(int askedTurn) {
        return askedTurn != turn || !pattern.isWatched();
    }

    /** Hints all blocks if the bytes of the block show progress. */
    @GuardedBy("this")
    private boolean hasProgressed(long bytes) {
        Advice advice = pattern.progressed(bytes);
        if (advice != Advice.HINT) {
            return false;
        }
        sender.metrics().streamsSequential.incr();
        follow(advice, pattern.currentBlock());
        return true;
    }

    @GuardedBy("this")
    private void askLater(HintTarget node, int askedTurn, int asks) {
        if (asks < MAX_ASKS) {
            sender.askProgress(
                    fileId,
                    node,
                    delayMillis(ASK_GROWTH, asks),
                    (bytesRead, openStreams) -> progressed(node, askedTurn, asks, bytesRead, openStreams));
        }
    }

    private synchronized void progressed(HintTarget node, int askedTurn, int asks, long bytesRead, int openStreams) {
        if (isOver(askedTurn) || hasProgressed(bytesRead)) {
            return;
        }
        if (openStreams > 0 || bytesRead == 0) {
            askLater(node, askedTurn, asks + 1);
        }
    }
}
