/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.stream;

import io.github.foresight.client.vectored.StreamRanges;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StoreStatisticNames;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;

/**
 * The opens and reads of one file system. An open counts at once, the reads of a stream count when it is closed. Reads of streams that are not
 * Foresight's, such as those of encrypted files, do not count. Thread-safe.
 */
public final class ReadTotals implements IOStatisticsSource {

    /** The statistic of {@link #opened}: opens from a cached layout, without a request to the NameNode. */
    public static final String OPENS_SERVED = "foresight_opens_served";

    private final LongAdder opens = new LongAdder();
    private final LongAdder opensServed = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder vectoredReads = new LongAdder();
    private final LongAdder rangesWanted = new LongAdder();
    private final LongAdder rangesMerged = new LongAdder();

    /**
     * A file was opened.
     *
     * @param isServed whether a cached layout opened the file
     */
    public void opened(boolean isServed) {
        opens.increment();
        if (isServed) {
            opensServed.increment();
        }
    }

    /** A stream is being closed; to be called once for each stream. */
    public void closed(ForesightInputStream stream) {
        bytes.add(stream.deliveredBytes());
        StreamRanges ranges = stream.vectored();
        if (ranges != null) {
            vectoredReads.add(ranges.vectoredReads());
            rangesWanted.add(ranges.rangesWanted());
            rangesMerged.add(ranges.rangesMerged());
        }
    }

    /** The counts under Hadoop's names and {@link #OPENS_SERVED}; each look reads them anew. */
    @Override
    public IOStatistics getIOStatistics() {
        return IOStatisticsBinding.dynamicIOStatistics()
                .withLongFunctionCounter(StoreStatisticNames.OP_OPEN, name -> opens.sum())
                .withLongFunctionCounter(OPENS_SERVED, name -> opensServed.sum())
                .withLongFunctionCounter(StreamStatisticNames.STREAM_READ_BYTES, name -> bytes.sum())
                .withLongFunctionCounter(
                        StreamStatisticNames.STREAM_READ_VECTORED_OPERATIONS, name -> vectoredReads.sum())
                .withLongFunctionCounter(
                        StreamStatisticNames.STREAM_READ_VECTORED_INCOMING_RANGES, name -> rangesWanted.sum())
                .withLongFunctionCounter(
                        StreamStatisticNames.STREAM_READ_VECTORED_COMBINED_RANGES, name -> rangesMerged.sum())
                .build();
    }
}
