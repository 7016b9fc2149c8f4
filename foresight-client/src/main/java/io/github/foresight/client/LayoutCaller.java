/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import java.util.Iterator;
import java.util.stream.Stream;

/** Who asks for a file's layout. HDFS sends the same request for all of them, so only the calling thread's stack tells. */
enum LayoutCaller {
    /** A file is opened; the stream does not exist yet. */
    OPEN,
    /** An open stream comes to the end of the layout that it has, or has found its locations to be of no use. */
    STREAM,
    /** An open stream is asked for the locations of all its blocks. */
    LISTING,
    /** The locations themselves are wanted, for splits, checks or checksums, or the caller is not known. */
    QUERY;

    private static final StackWalker WALKER = StackWalker.getInstance();

    /** In Hadoop 3.3 to 3.5; were these renamed, every caller would be {@link #QUERY}, and Foresight would add nothing. */
    private static final String CLIENT_CLASS = "org.apache.hadoop.hdfs.DFSClient";

    private static final String STREAM_CLASS = "org.apache.hadoop.hdfs.DFSInputStream";

    /** Between a stream's method that lists and its layout. */
    private static final int LISTING_FRAMES = 8;

    /** The caller of this thread's request, to be asked below {@code DFSClient.getLocatedBlocks}. */
    static LayoutCaller ofRequest() {
        return WALKER.walk(LayoutCaller::innermost);
    }

    /** Whether this thread lists all blocks of a stream, to be asked below the stream's methods. */
    static boolean isListing() {
        return WALKER.walk(frames -> frames.limit(LISTING_FRAMES).anyMatch(LayoutCaller::lists));
    }

    private static LayoutCaller innermost(Stream<StackWalker.StackFrame> frames) {
        LayoutCaller caller = QUERY;
        for (Iterator<StackWalker.StackFrame> all = frames.iterator(); all.hasNext(); ) {
            StackWalker.StackFrame frame = all.next();
            if (lists(frame)) {
                return LISTING;
            }
            if (frame.getClassName().equals(STREAM_CLASS)) {
                caller = STREAM;
            } else if (caller == STREAM) {
                return STREAM;
            } else if (frame.getClassName().equals(CLIENT_CLASS)
                    && frame.getMethodName().equals("open")) {
                return OPEN;
            }
        }
        return caller;
    }

    private static boolean lists(StackWalker.StackFrame frame) {
        return frame.getMethodName().equals("getAllBlocks")
                && frame.getClassName().equals(STREAM_CLASS);
    }
}
