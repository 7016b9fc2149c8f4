/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.rpc;

import io.github.foresight.protocol.note.Notes;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;

/**
 * Distinguishes the open of a file from other requests for block locations, which use the same call. Stateless.
 *
 * <p>A client with Foresight attaches a note to opens only. A stock client that opens a file asks for {@code dfs.client.read.prefetch.size}
 * bytes from the file's begin, whatever the file's length is; who computes splits ({@code getFileBlockLocations}) asks for exactly the
 * file's length, who computes a checksum for as much as there can be. So an open of a file of exactly that size counts as a
 * computation of splits, and is not learned from.
 */
final class LocationRequests {

    private LocationRequests() {}

    /**
     * Whether a request opens a file to read its content from the begin on. A stream that asks for the rest of a long file's layout later
     * opens nothing, nor is a file opened that is being written or empty.
     *
     * @param blocks HDFS's answer
     */
    static boolean isOpen(GetBlockLocationsRequestProto request, LocatedBlocks blocks) {
        return request.getOffset() == 0
                && blocks.locatedBlockCount() > 0
                && !blocks.isUnderConstruction()
                && !isForSplits(request, blocks);
    }

    /** Whether a request asks for the locations of a whole file, to the byte, so that nothing is read now. */
    static boolean isForSplits(GetBlockLocationsRequestProto request, LocatedBlocks blocks) {
        boolean asksForAll = request.getLength() == blocks.getFileLength() || request.getLength() == Long.MAX_VALUE;
        return request.getOffset() == 0 && asksForAll && !Notes.isIn(request);
    }
}
