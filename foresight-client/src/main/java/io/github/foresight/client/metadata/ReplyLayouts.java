/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metadata;

import io.github.foresight.client.metrics.ClientMetrics;
import io.github.foresight.core.graph.Usefulness;
import io.github.foresight.protocol.note.MessageBytes;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.PredictedFileProto;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.jspecify.annotations.Nullable;

/**
 * The layouts in one reply of the NameNode that are worth caching, before it is known which may be cached: those of predicted files that
 * the client does not have, and that of the file that was opened or whose status was asked for. As large as the reply. Not thread-safe: confined to the thread that
 * got the reply.
 */
public final class ReplyLayouts {

    private final Map<String, CachedFile> predicted = new LinkedHashMap<>();
    private final List<PredictedLayout> predictedLayouts = new ArrayList<>();
    private @Nullable String askedPath;
    private @Nullable CachedFile asked;

    /** No layouts. */
    static ReplyLayouts none() {
        return new ReplyLayouts();
    }

    /**
     * Reads the predicted files in a reply, and the file whose status was asked for; what cannot be read is passed over.
     *
     * @param isCached says of a path whether the client can open that file without this reply
     */
    static ReplyLayouts predictedIn(NameNodeNoteProto note, Predicate<String> isCached) {
        ReplyLayouts layouts = new ReplyLayouts();
        for (PredictedFileProto file : note.getFilesList()) {
            if (file.hasPath() && !layouts.predicted.containsKey(file.getPath())) {
                layouts.addPredicted(file, isCached);
            }
        }
        if (note.hasStated()) {
            layouts.addStated(note.getStated());
        }
        return layouts;
    }

    private void addStated(PredictedFileProto file) {
        LocatedBlocksProto layout = layoutOf(file);
        if (layout != null && isWorthCaching(layout)) {
            askedPath = file.getPath();
            asked = CachedFile.stated(file, layout);
        }
    }

    /** The layout, or null if it cannot be read. */
    private static @Nullable LocatedBlocksProto layoutOf(PredictedFileProto file) {
        LocatedBlocksProto layout = MessageBytes.parse(file.getLocations(), LocatedBlocksProto.parser());
        if (layout == null) {
            ClientMetrics.INSTANCE.internalErrors.incr();
        }
        return layout;
    }

    private void addPredicted(PredictedFileProto file, Predicate<String> isCached) {
        int confidenceClass = file.getConfidenceClass();
        if (confidenceClass < 0 || confidenceClass >= Usefulness.CLASSES || isCached.test(file.getPath())) {
            return;
        }
        LocatedBlocksProto layout = layoutOf(file);
        if (layout != null && isWorthCaching(layout)) {
            predicted.put(file.getPath(), CachedFile.predicted(file, layout));
            predictedLayouts.add(new PredictedLayout(file.getPath(), layout));
        }
    }

    /** Whether a file has a block and is not being written. */
    static boolean isWorthCaching(LocatedBlocksProto layout) {
        return layout.getBlocksCount() > 0 && !layout.getUnderConstruction();
    }

    /** Adds the layout of the file that was opened, if it is worth caching. */
    void addOpened(String path, LocatedBlocksProto layout) {
        if (isWorthCaching(layout)) {
            askedPath = path;
            asked = CachedFile.opened(layout);
        }
    }

    /** Predicted files by path, in the reply's order. */
    Map<String, CachedFile> predicted() {
        return predicted;
    }

    /** The layouts of the predicted files, in the reply's order. */
    List<PredictedLayout> predictedLayouts() {
        return predictedLayouts;
    }

    /** How many predicted files are expected to be opened next; files of a listing are in no order. */
    int expected() {
        int expected = 0;
        for (CachedFile file : predicted.values()) {
            expected += file.isListed() ? 0 : 1;
        }
        return expected;
    }

    /** The path of the file that was opened, or whose status was asked for; null where its layout is not to be cached. */
    @Nullable
    String askedPath() {
        return askedPath;
    }

    @Nullable
    CachedFile asked() {
        return asked;
    }
}
