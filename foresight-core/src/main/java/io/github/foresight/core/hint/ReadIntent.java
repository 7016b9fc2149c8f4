/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The reads that an application announces when it opens a file. Immutable and thread-safe.
 *
 * <p>Source: the read policies and splits of Hadoop's {@code openFile()}, {@code fs.option.openfile.*}.
 */
public final class ReadIntent {

    /** The order of the reads. */
    public enum Order {
        /** Not announced: {@link ReadPattern} judges by the reads. */
        UNKNOWN,
        /** From some place on to the end, or to the end of a split. */
        SEQUENTIAL,
        /** Pieces here and there: whole blocks are not worth reading ahead. */
        RANDOM
    }

    /** Nothing is announced. */
    public static final ReadIntent NONE = new ReadIntent(Order.UNKNOWN, Long.MAX_VALUE);

    private final Order order;
    private final long endBytes;

    private ReadIntent(Order order, long endBytes) {
        this.order = order;
        this.endBytes = endBytes;
    }

    /**
     * Reads an application's options.
     *
     * @param policies names of read policies, separated by commas, the preferred first; unknown names are passed over, and an empty text
     *     announces nothing
     * @param endBytes where in the file the application's split ends; 0 or less if it is not announced
     */
    public static ReadIntent of(String policies, long endBytes) {
        Order order = Order.UNKNOWN;
        for (String policy : policies.split(",", -1)) {
            Order known = order(policy.trim().toLowerCase(Locale.ROOT));
            if (known != null) {
                order = known;
                break;
            }
        }
        long end = endBytes <= 0 ? Long.MAX_VALUE : endBytes;
        return order == Order.UNKNOWN && end == Long.MAX_VALUE ? NONE : new ReadIntent(order, end);
    }

    /** The order of a read policy of Hadoop 3.3 to 3.5; null for an unknown policy. */
    private static @Nullable Order order(String policy) {
        switch (policy) {
            case "adaptive":
            case "default":
                return Order.UNKNOWN;
            case "sequential":
            case "whole-file":
            case "avro":
            case "csv":
            case "json":
                return Order.SEQUENTIAL;
            case "random":
            case "vector":
            case "columnar":
            case "parquet":
            case "orc":
            case "hbase":
                return Order.RANDOM;
            default:
                return null;
        }
    }

    public Order order() {
        return order;
    }

    /** No block that begins here or later will be read, bytes; {@link Long#MAX_VALUE} where any may be. */
    public long endBytes() {
        return endBytes;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof ReadIntent && ((ReadIntent) o).order == order && ((ReadIntent) o).endBytes == endBytes;
    }

    @Override
    public int hashCode() {
        return order.hashCode() * 31 + Long.hashCode(endBytes);
    }

    @Override
    public String toString() {
        return order + (endBytes == Long.MAX_VALUE ? "" : " up to " + endBytes);
    }
}
