/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.stream;

import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.Reader;
import io.github.foresight.core.hint.StreamEvents;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.jspecify.annotations.Nullable;

/**
 * A block's stream that reports how far it has been read.
 *
 * <p>HDFS sends a block with {@code transferTo} only from a {@link FileInputStream}. So this class is a {@link FileInputStream} on the file
 * descriptor of the stock stream. Its channel passes {@code transferTo} through to the stock channel: zero copy stays zero copy. Reads and
 * {@code close} go to the stock stream, so HDFS's own I/O hooks keep working. Costs an object per open and a counter per packet of 64 KiB.
 *
 * <p>Used by one thread at a time, as any stream; {@link #report()} may be called by another.
 */
public final class ObservedBlockInputStream extends FileInputStream {

    /** How many bytes may be sent before the read-ahead hears of them. */
    private static final long REPORT_BYTES = 1 << 20;

    private final FileInputStream stock;
    private final StreamListener listener;
    private final long id;
    private final BlockKey key;
    private final long generationStamp;
    private final String openerName;
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable FileChannel channel;
    private boolean volumeKnown;
    private @Nullable FsVolumeSpi volume;
    private volatile @Nullable BlockReaderThread opener;
    private volatile boolean followed;
    private volatile boolean closeFollowed;
    private volatile long position;
    private long reportedPosition;

    public ObservedBlockInputStream(
            FileInputStream stock,
            StreamListener listener,
            long id,
            BlockKey key,
            long generationStamp,
            long position,
            String openerName)
            throws IOException {
        super(stock.getFD());
        this.stock = stock;
        this.listener = listener;
        this.id = id;
        this.key = key;
        this.generationStamp = generationStamp;
        this.position = position;
        this.reportedPosition = position;
        this.openerName = openerName;
    }

    public long id() {
        return id;
    }

    public BlockKey key() {
        return key;
    }

    public long generationStamp() {
        return generationStamp;
    }

    public Reader reader() {
        return opener().reader();
    }

    /** Whether a client reads; else it is HDFS's own scanner, a transfer or a copy. */
    public boolean servesClient() {
        return opener().servesClient();
    }

    /** Whether the descriptor went to a local client, whose reads cannot be seen here. */
    public boolean isShortCircuit() {
        return opener().isShortCircuit();
    }

    public long position() {
        return position;
    }

    /** Worked out when it is first asked for; most streams are never hinted. */
    private BlockReaderThread opener() {
        BlockReaderThread known = opener;
        if (known == null) {
            known = BlockReaderThread.ofName(openerName);
            opener = known;
        }
        return known;
    }

    /** The reports that the read-ahead wants of this stream from now on; never less than before, as a hint may come while it is opened. */
    public void follow(StreamEvents wanted) {
        if (wanted == StreamEvents.ALL) {
            followed = true;
        } else if (wanted == StreamEvents.CLOSE) {
            closeFollowed = true;
        }
    }

    private StreamEvents followedEvents() {
        if (followed) {
            return StreamEvents.ALL;
        }
        return closeFollowed ? StreamEvents.CLOSE : StreamEvents.NONE;
    }

    /** Reports to the read-ahead the bytes that were sent since the last report. */
    public synchronized void report() {
        long now = position;
        long bytes = now - reportedPosition;
        if (bytes > 0) {
            reportedPosition = now;
            listener.bytesSent(this, now, bytes);
        }
    }

    /** The stream has delivered more bytes, from where it stood. */
    private void delivered(long bytes) {
        if (bytes > 0) {
            deliveredUpTo(position + bytes);
        }
    }

    void deliveredUpTo(long newPosition) {
        position = Math.max(position, newPosition);
        switch (followedEvents()) {
            case ALL:
                if (position - reportedPosition >= REPORT_BYTES) {
                    report();
                }
                if (!listener.isLoaded(key, position)) {
                    listener.demandSeen(this);
                }
                break;
            case NONE:
                listener.demandSeen(this);
                break;
            default:
                break;
        }
    }

    /**
     * The volume that the block is on, or null where it is not known. Asked for once in the stream's life: an open file stays where it is,
     * and to look a replica up takes a lock of HDFS's.
     */
    @Nullable
    public FsVolumeSpi volume(Function<BlockKey, @Nullable FsVolumeSpi> lookUp) {
        if (!volumeKnown) {
            volume = lookUp.apply(key);
            volumeKnown = true;
        }
        return volume;
    }

    @Override
    public FileChannel getChannel() {
        FileChannel observing = channel;
        if (observing == null) {
            observing = new ObservedFileChannel(stock.getChannel(), this);
            channel = observing;
        }
        return observing;
    }

    @Override
    public int read() throws IOException {
        int value = stock.read();
        delivered(value < 0 ? 0 : 1);
        return value;
    }

    @Override
    public int read(byte[] buffer) throws IOException {
        int n = stock.read(buffer);
        delivered(n);
        return n;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int n = stock.read(buffer, offset, length);
        delivered(n);
        return n;
    }

    @Override
    public synchronized long skip(long bytes) throws IOException {
        long skipped = stock.skip(bytes);
        reportedPosition += skipped;
        long from = position;
        position = from + skipped;
        return skipped;
    }

    @Override
    public int available() throws IOException {
        return stock.available();
    }

    @Override
    public void close() throws IOException {
        if (closed.compareAndSet(false, true)) {
            try {
                listener.closed(this, followedEvents());
            } finally {
                stock.close();
            }
        }
    }
}
