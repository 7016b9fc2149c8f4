/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.stream;

import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.StreamEvents;

/**
 * Receives what {@link ObservedBlockInputStream}s report. A stream calls it on the thread that reads, so it never waits for a disk, and it
 * throws nothing. Thread-safe.
 */
public interface StreamListener {

    /**
     * A stream has sent bytes since its last report.
     *
     * @param position how far the block has been sent, from its beginning
     * @param bytes how many bytes were sent since the last report
     */
    void bytesSent(ObservedBlockInputStream stream, long position, long bytes);

    /** Whether a prefetch has brought a block into memory up to a position. */
    boolean isLoaded(BlockKey key, long position);

    /** A stream has read from the disk; called once a packet. */
    void demandSeen(ObservedBlockInputStream stream);

    /**
     * A stream is closed; called once.
     *
     * @param followed the events of the stream that were wanted
     */
    void closed(ObservedBlockInputStream stream, StreamEvents followed);
}
