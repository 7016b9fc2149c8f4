/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.stream;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.hint.OpenStream;
import io.github.foresight.client.hint.PositionedReads;
import io.github.foresight.client.vectored.StreamRanges;
import io.github.foresight.client.vectored.VectoredReads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.VectoredReadUtils;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.jspecify.annotations.Nullable;

/** HDFS's stream, whose vectored reads read many ranges at a time. Thread-safe as HDFS's is: by position and vectored. */
public final class ForesightInputStream extends HdfsDataInputStream implements OpenStream {

    /** Hadoop's word for streams that read ranges better than one after the other; not in every version. */
    private static final String VECTORED = "in:readvectored";

    /** The open of a stream. It makes parts of the stream when the stream first needs them. */
    public interface Opened {
        /**
         * The streams of the vectored reads; null where the layout is not known, or the file's replicas cannot be chosen among.
         *
         * @param own reads from the application's stream
         */
        @Nullable
        ReplicaStreams replicas(StreamRanges.Source own);

        /** Where reads by position are noted; null where a sequence of them is not hinted. */
        @Nullable
        PositionedReads positionedReads();

        /** The stream is closed for the first time. */
        void closed(ForesightInputStream stream);
    }

    private final VectoredReads vectoredReads;
    private final Opened opened;

    /** Made by the first vectored read; may be null afterwards too. */
    private volatile @Nullable ReplicaStreams replicas;

    /** Bytes that the application's stream had delivered when its statistics were cleared. */
    private final AtomicLong clearedBytes = new AtomicLong();

    /** Bytes that reads by position have asked for or delivered. */
    private final LongAdder positionedBytes = new LongAdder();

    /** Made by the first read by position; may be null afterwards too. */
    private volatile @Nullable PositionedReads positionedReads;

    /** Whether the first read by position has come. */
    private volatile boolean isPositioned;

    /** The layout from memory that the file was opened with; null where the NameNode was asked. */
    private volatile @Nullable ServedLayout served;

    private final AtomicBoolean closing = new AtomicBoolean();

    @GuardedBy("this")
    private boolean closed;

    /** The application has set the caching of its stream, which then reads the ranges too. */
    private volatile boolean cachingIsSet;

    /** Made by the first vectored read. */
    private volatile @Nullable StreamRanges ranges;

    /** A stream of an opened file. */
    public ForesightInputStream(DFSInputStream stream, VectoredReads vectoredReads, Opened opened) {
        super(stream);
        this.vectoredReads = vectoredReads;
        this.opened = opened;
    }

    /** The bytes that were delivered since the open, by vectored reads too. */
    public long deliveredBytes() {
        ReplicaStreams others = replicas;
        long ofRanges = others == null ? 0 : others.deliveredBytes();
        return clearedBytes.get() + super.getReadStatistics().getTotalBytesRead() + ofRanges;
    }

    @Override
    public long streamedBytes() {
        return clearedBytes.get() + super.getReadStatistics().getTotalBytesRead() - positionedBytes.sum();
    }

    /** Sets the layout from memory that the file was opened with. */
    public void readWith(ServedLayout layout) {
        served = layout;
        layout.readBy(this);
    }

    @Override
    public synchronized List<LocatedBlock> getAllBlocks() throws IOException {
        ServedLayout layout = served;
        return layout == null ? super.getAllBlocks() : layout.list(super::getAllBlocks);
    }

    @Override
    public int read(long position, byte[] buffer, int offset, int length) throws IOException {
        positioned(position, length);
        int read = super.read(position, buffer, offset, length);
        positionedBytes.add(Math.max(0, read) - length);
        return read;
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length) throws IOException {
        positioned(position, length);
        super.readFully(position, buffer, offset, length);
    }

    @Override
    public void readFully(long position, byte[] buffer) throws IOException {
        readFully(position, buffer, 0, buffer.length);
    }

    @Override
    public int read(long position, ByteBuffer buffer) throws IOException {
        int length = buffer.remaining();
        positioned(position, length);
        int read = super.read(position, buffer);
        positionedBytes.add(Math.max(0, read) - length);
        return read;
    }

    @Override
    public void readFully(long position, ByteBuffer buffer) throws IOException {
        positioned(position, buffer.remaining());
        super.readFully(position, buffer);
    }

    private void positioned(long position, int length) {
        positionedBytes.add(length);
        if (!isPositioned) {
            makePositionedReads();
        }
        PositionedReads notes = positionedReads;
        if (notes != null) {
            notes.read(position, length);
        }
    }

    private synchronized void makePositionedReads() {
        if (!isPositioned) {
            positionedReads = opened.positionedReads();
            isPositioned = true;
        }
    }

    /** A read of a vectored read. Which ranges will follow is known already. */
    private void readRange(long position, ByteBuffer buffer) throws IOException {
        positionedBytes.add(buffer.remaining());
        super.readFully(position, buffer);
    }

    /** HDFS's statistics, and those of the vectored reads; a copy, where there are such reads. */
    @Override
    public ReadStatistics getReadStatistics() {
        ReadStatistics own = super.getReadStatistics();
        ReplicaStreams others = replicas;
        if (others == null || others.deliveredBytes() == 0) {
            return own;
        }
        ReadStatistics sum = new ReadStatistics(own);
        others.addStatisticsTo(sum);
        return sum;
    }

    @Override
    public void clearReadStatistics() {
        clearedBytes.addAndGet(super.getReadStatistics().getTotalBytesRead());
        super.clearReadStatistics();
        ReplicaStreams others = replicas;
        if (others != null) {
            others.clearStatistics();
        }
    }

    /** The counts of this stream, under Hadoop's names; each look reads them anew. HDFS's own stream has none. */
    @Override
    public IOStatistics getIOStatistics() {
        return IOStatisticsBinding.dynamicIOStatistics()
                .withLongFunctionCounter(StreamStatisticNames.STREAM_READ_BYTES, name -> deliveredBytes())
                .withLongFunctionCounter(
                        StreamStatisticNames.STREAM_READ_VECTORED_OPERATIONS,
                        name -> ofRanges(StreamRanges::vectoredReads))
                .withLongFunctionCounter(
                        StreamStatisticNames.STREAM_READ_VECTORED_INCOMING_RANGES,
                        name -> ofRanges(StreamRanges::rangesWanted))
                .withLongFunctionCounter(
                        StreamStatisticNames.STREAM_READ_VECTORED_COMBINED_RANGES,
                        name -> ofRanges(StreamRanges::rangesMerged))
                .build();
    }

    private long ofRanges(ToLongFunction<StreamRanges> count) {
        StreamRanges made = ranges;
        return made == null ? 0 : count.applyAsLong(made);
    }

    /** The vectored reads; null before the first. */
    @Nullable
    StreamRanges vectored() {
        return ranges;
    }

    @Override
    public void setReadahead(Long readahead) throws IOException {
        cachingIsSet = true;
        super.setReadahead(readahead);
    }

    @Override
    public void setDropBehind(Boolean dropBehind) throws IOException {
        cachingIsSet = true;
        super.setDropBehind(dropBehind);
    }

    @Override
    public void readVectored(List<? extends FileRange> wanted, IntFunction<ByteBuffer> allocate) throws IOException {
        readVectored(wanted, allocate, ForesightInputStream::leaveToTheCollector);
    }

    @Override
    public void readVectored(
            List<? extends FileRange> wanted, IntFunction<ByteBuffer> allocate, Consumer<ByteBuffer> release)
            throws IOException {
        requireNonNull(wanted, "ranges");
        requireNonNull(allocate, "allocate");
        requireNonNull(release, "release");
        VectoredReadUtils.validateVectoredReadRanges(wanted);
        madeRanges().read(wanted, getVisibleLength(), allocate, release);
    }

    private static void leaveToTheCollector(ByteBuffer buffer) {}

    private synchronized StreamRanges madeRanges() throws IOException {
        StreamRanges made = ranges;
        if (made == null) {
            StreamRanges.Source application = this::readRange;
            StreamRanges.Sources own = StreamRanges.Sources.only(application);
            ReplicaStreams others = opened.replicas(application);
            made = new StreamRanges(
                    vectoredReads, reads -> (others == null || cachingIsSet ? own : others).forReads(reads));
            replicas = others;
            ranges = made;
            if (closed) {
                close(made, others);
            }
        }
        return made;
    }

    private static void close(@Nullable StreamRanges ranges, @Nullable ReplicaStreams replicas) throws IOException {
        if (ranges != null) {
            ranges.close();
        }
        if (replicas != null) {
            replicas.close();
        }
    }

    @Override
    public boolean hasCapability(String capability) {
        String name = capability.toLowerCase(Locale.ENGLISH);
        return name.equals(VECTORED) || name.equals(StreamCapabilities.IOSTATISTICS) || super.hasCapability(capability);
    }

    @Override
    public void close() throws IOException {
        PositionedReads notes = positionedReads;
        if (notes != null) {
            notes.end();
        }
        if (closing.compareAndSet(false, true)) {
            opened.closed(this);
        }
        synchronized (this) {
            closed = true;
        }
        try {
            close(ranges, replicas);
        } finally {
            super.close();
        }
    }
}
