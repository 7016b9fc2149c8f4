/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

/**
 * Judges from the outside whether a stream reads its file sequentially, so that only such streams are hinted.
 *
 * <p>SSPF sends its hints at open and takes every file for a sequentially read one. HDFS files are as often read by position
 * (HBase, Parquet, ORC), where fetching whole blocks is waste. What a client sees of a stream without touching it is which
 * block it turns to, and whether it asks for the rest of that block (a stream read does, a positioned read names its end).
 * What the DataNode sees is how many bytes it has sent. From both:
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
 * <p>A turn back into the same block is "any other" for a watched stream: it seeks. It is not told of positioned
 * reads. Constant time and memory. Not thread-safe.
 */
public final class ReadPattern {

    /** A watched stream that turns elsewhere more often than this is taken for a random reader. */
    static final int MAX_JUMPS = 3;

    /** What to do about the stream after an observation. */
    public enum Advice {
        /** Nothing has changed. */
        NONE,
        /** Hint the block that the stream turned to, as not yet sequential, and ask its DataNode for progress. */
        WATCH,
        /** Hint all that is to come. */
        HINT,
        /** Take back what was hinted. */
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
     * Begins with a stream of which nothing is known.
     *
     * @param blockCount blocks in the file's layout as far as it is known, at least 1
     * @param evidenceBytes bytes sent that count as sequential progress, at least 1
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
     * The stream opens a reader that reaches to a block's end.
     *
     * @param index the block's place in the file, from 0
     */
    public Advice turnedTo(int index) {
        if (intended == ReadIntent.Order.RANDOM) {
            return Advice.NONE;
        }
        switch (state) {
            case UNREAD:
                if (intended == ReadIntent.Order.SEQUENTIAL) {
                    return sequential(index);
                }
                // The last block of many, first of all: somebody looks at a footer, and nothing follows it.
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

    /** The DataNode that serves the current block reports how many bytes it has sent to the stream so far. */
    public Advice progressed(long bytesSent) {
        return state == State.WATCHED && bytesSent >= evidenceBytes ? sequential(current) : Advice.NONE;
    }

    /** Whether progress reports can still change the judgement. */
    public boolean isWatched() {
        return state == State.WATCHED;
    }

    public boolean isSequential() {
        return state == State.SEQUENTIAL;
    }

    /** Whether the stream jumps about. */
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
