/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.caller;

import org.jspecify.annotations.Nullable;

/** Who asks for a file's layout. HDFS sends the same request for all of them, so only the calling thread's stack shows the difference. */
public enum LayoutCaller {
    /** A file is opened; the stream does not exist yet. */
    OPEN,
    /** An open stream comes to the end of the layout that it has, or has found its locations to be of no use. */
    STREAM,
    /** An open stream is asked for the locations of all its blocks. */
    LISTING,
    /** The locations themselves are wanted, for splits, checks or checksums, or the caller is not known. */
    QUERY;

    /** In Hadoop 3.3 to 3.5; were these renamed, every caller would be {@link #QUERY}, and Foresight would add nothing. */
    private static final String CLIENT_CLASS = "org.apache.hadoop.hdfs.DFSClient";

    private static final String STREAM_CLASS = "org.apache.hadoop.hdfs.DFSInputStream";

    /** Between a stream's method that lists and its layout. */
    private static final int LISTING_FRAMES = 8;

    /** The caller of this thread's request, to be asked below {@code DFSClient.getLocatedBlocks}. */
    public static LayoutCaller ofRequest() {
        Search search = new Search();
        LayoutCaller caller = CallStack.first(Integer.MAX_VALUE, search::look);
        return caller == null ? search.sofar : caller;
    }

    /** Whether this thread lists all blocks of a stream, to be asked below the stream's methods. */
    public static boolean isListing() {
        return CallStack.first(LISTING_FRAMES, (type, method) -> lists(type, method) ? LISTING : null) != null;
    }

    /** Goes outwards from the request. Confined to a thread. */
    private static final class Search {
        private LayoutCaller sofar = QUERY;

        @Nullable
        LayoutCaller look(String type, String method) {
            if (lists(type, method)) {
                return LISTING;
            }
            if (type.equals(STREAM_CLASS)) {
                sofar = STREAM;
                return null;
            }
            if (sofar == STREAM) {
                return STREAM;
            }
            return type.equals(CLIENT_CLASS) && method.equals("open") ? OPEN : null;
        }
    }

    private static boolean lists(String type, String method) {
        return method.equals("getAllBlocks") && type.equals(STREAM_CLASS);
    }
}
