/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

/**
 * Decides in a client whether a stream reads its file sequentially; the client hints only such streams.
 *
 * <p>SSPF hints at open and assumes that each file is read sequentially. HDFS files are often read by position instead
 * (HBase, Parquet, ORC), and fetching whole blocks is then a waste. A client sees which block a stream turns to, and
 * whether the stream requests the rest of the block. A stream read requests the rest; a positioned read names its end.
 * A DataNode sees the number of bytes that it has sent. The state follows from both:
 *
 * <pre>
 *            turns to block i                    turns to i + 1, or the DataNode has sent evidenceBytes
 *   UNREAD ------------------&gt; WATCHED at i ------------------------------------------------&gt; SEQUENTIAL at i
 *                                 ^    |  more than MAX_JUMPS turns to any other block              |
 *                                 |    +---------------------&gt; RANDOM                               |
 *                                 |                               | turns to i + 1                  | any other
 *                                 +-------------------------------+---------------------------------+
 * </pre>
 *
 * <p>A turn back into the same block is "any other" for a watched stream, because the stream has seeked. Positioned
 * reads are not reported. Constant time and memory. Not thread-safe.
 */
public final class ReadPattern {

    /** A watched stream with more jumps than this counts as a random reader; chosen, not measured. */
    static final int MAX_JUMPS = 3;

    /** The action for the stream after an observation. */
    public enum Advice {
        /** No action. */
        NONE,
        /** Hint the block that the stream turned to, as not yet sequential, and ask its DataNode for progress. */
        WATCH,
        /** Hint all blocks from here on. */
        HINT,
        /** Withdraw the hint. */
        WITHDRAW
    }

    private enum State {
        UNREAD,
        WATCHED,
        SEQUENTIAL,
        RANDOM
    }

    private final int blockCount;
    private final long evidenceBytes;
    private final ReadIntent.Order intended;
    private State state = State.UNREAD;
    private int current = -1;
    private int jumps;

    /**
     * Makes the pattern of a new stream.
     *
     * @param blockCount the number of known blocks of the file's layout, at least 1
     * @param evidenceBytes the sent bytes that count as sequential progress, at least 1
     */
    public ReadPattern(int blockCount, long evidenceBytes) {
        this(blockCount, evidenceBytes, ReadIntent.Order.UNKNOWN);
    }

    /**
     * Begins with a stream whose application has said how it reads: a sequential one is hinted from its first block on, until it jumps; a
     * random one never.
     *
     * @param blockCount blocks in the file's layout as far as it is known, at least 1
     * @param evidenceBytes bytes sent that count as sequential progress, at least 1
     */
    public ReadPattern(int blockCount, long evidenceBytes, ReadIntent.Order intended) {
        if (blockCount < 1) {
            throw new IllegalArgumentException("blockCount must be at least 1: " + blockCount);
        }
        if (evidenceBytes < 1) {
            throw new IllegalArgumentException("evidenceBytes must be at least 1: " + evidenceBytes);
        }
        this.blockCount = blockCount;
        this.evidenceBytes = evidenceBytes;
        this.intended = intended;
    }

    /**
     * The stream opens a block reader that reaches the block's end.
     *
     * @param index the block's index in the file, from 0
     */
    public Advice recordBlockRead(int index) {
        if (intended == ReadIntent.Order.RANDOM) {
            return Advice.NONE;
        }
        switch (state) {
            case UNREAD:
                if (intended == ReadIntent.Order.SEQUENTIAL) {
                    return sequential(index);
                }
                // A stream that turns first to the last of many blocks reads a footer, and nothing follows the footer.
                return index > 0 && index == blockCount - 1 ? Advice.NONE : watch(index);
            case WATCHED:
                return index == current + 1 ? sequential(index) : jump(index);
            case SEQUENTIAL:
                return index == current || index == current + 1 ? sequential(index) : jump(index);
            case RANDOM:
                return random(index);
            default:
                throw new AssertionError(state);
        }
    }

    /**
     * The DataNode that serves the current block reports the number of bytes that it has sent to the stream so far.
     */
    public Advice progressed(long bytesSent) {
        return state == State.WATCHED && bytesSent >= evidenceBytes ? sequential(current) : Advice.NONE;
    }

    /** Whether progress reports can still change the state. */
    public boolean isWatched() {
        return state == State.WATCHED;
    }

    public boolean isSequential() {
        return state == State.SEQUENTIAL;
    }

    /** Whether the stream is a random reader. */
    public boolean isRandom() {
        return state == State.RANDOM;
    }

    /** The block that the stream turned to last, or -1 before the first. */
    public int currentBlock() {
        return current;
    }

    private Advice watch(int index) {
        state = State.WATCHED;
        current = index;
        return Advice.WATCH;
    }

    private Advice sequential(int index) {
        state = State.SEQUENTIAL;
        current = index;
        jumps = 0;
        return Advice.HINT;
    }

    private Advice jump(int index) {
        jumps++;
        if (jumps <= MAX_JUMPS) {
            return watch(index);
        }
        state = State.RANDOM;
        current = index;
        return Advice.WITHDRAW;
    }

    private Advice random(int index) {
        boolean successor = index == current + 1;
        current = index;
        return successor ? watch(index) : Advice.NONE;
    }
}
