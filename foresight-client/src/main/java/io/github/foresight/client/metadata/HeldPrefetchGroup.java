/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metadata;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;

/**
 * Holds the latest group of predicted files back until the client has opened a predicted file. Until then no DataNode reads their data:
 * for a client whose predictions never come true, that would cost connections and disk reads for nothing. After the first hit
 * groups are no longer held. Thread-safe.
 */
final class HeldPrefetchGroup {

    private volatile boolean hasHit;

    @GuardedBy("this")
    private List<LocatedBlocksProto> held = Collections.emptyList();

    /**
     * The NameNode has returned predicted files.
     *
     * @return the layouts of the files that are to be made resident now
     */
    synchronized List<LocatedBlocksProto> admit(List<LocatedBlocksProto> layouts) {
        if (hasHit) {
            return layouts;
        }
        if (!layouts.isEmpty()) {
            held = layouts;
        }
        return Collections.emptyList();
    }

    /**
     * A prediction has come true.
     *
     * @param firstBlock of the file that is just being opened and needs no more help
     * @return the layouts of the files that are to be made resident now
     */
    List<LocatedBlocksProto> releaseOnHit(long firstBlock) {
        return hasHit ? Collections.emptyList() : release(firstBlock);
    }

    private synchronized List<LocatedBlocksProto> release(long firstBlock) {
        hasHit = true;
        List<LocatedBlocksProto> released = held.stream()
                .filter(layout -> layout.getBlocks(0).getB().getBlockId() != firstBlock)
                .collect(Collectors.toList());
        held = Collections.emptyList();
        return released;
    }
}
