/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.EnumMap;
import java.util.Map;

/** Sums over many files. Not thread-safe. */
final class LayoutTotals {

    private final Map<FilePlan.Kind, Long> files = new EnumMap<>(FilePlan.Kind.class);
    private long orthogonal;
    private long withOneNode;
    private long blocks;
    private long moves;
    private long moveBytes;
    private long stuck;
    private long fewestMoves;

    void add(FilePlan plan) {
        files.merge(plan.kind(), 1L, Long::sum);
        if (plan.kind() == FilePlan.Kind.CONSIDERED) {
            orthogonal += plan.isOrthogonal() ? 1 : 0;
            withOneNode += plan.hasOneNode() ? 1 : 0;
            blocks += plan.blocks();
            moves += plan.moves().size();
            moveBytes += plan.moves().stream().mapToLong(BlockMove::bytes).sum();
            stuck += plan.stuck();
            fewestMoves += plan.fewestMoves();
        }
    }

    long files() {
        return files(FilePlan.Kind.CONSIDERED);
    }

    private long files(FilePlan.Kind kind) {
        return files.getOrDefault(kind, 0L);
    }

    boolean allOrthogonal() {
        return orthogonal == files();
    }

    long moves() {
        return moves;
    }

    long moveBytes() {
        return moveBytes;
    }

    /** The totals in words, a line each. */
    String words() {
        String left = "";
        for (FilePlan.Kind kind : FilePlan.Kind.values()) {
            if (kind != FilePlan.Kind.CONSIDERED && files(kind) > 0) {
                left += (left.isEmpty() ? "" : ", ") + files(kind) + " " + words(kind);
            }
        }
        return String.format(
                "%d of %d files are orthogonal: their replica node has all their blocks. %d have all on some node.%n"
                        + "%d of %d blocks have no replica on their file's replica node; %d replicas (%d MiB) must move%s.%n"
                        + "%s",
                orthogonal,
                files(),
                withOneNode,
                moves + stuck,
                blocks,
                moves,
                moveBytes >> 20,
                stuck == 0 ? "" : ", and " + stuck + " cannot now (no room or no fitting storage there)",
                left.isEmpty() ? "" : "Left alone: " + left + ".");
    }

    private static String words(FilePlan.Kind kind) {
        switch (kind) {
            case EMPTY:
                return "empty";
            case SINGLE:
                return "with one replica";
            case ERASURE_CODED:
                return "erasure-coded";
            case OPEN:
                return "being written";
            default:
                return "considered";
        }
    }

    void write(ObjectNode json) {
        json.put("files", files());
        json.put("orthogonal", orthogonal);
        json.put("withOneNode", withOneNode);
        json.put("blocks", blocks);
        json.put("movesNeeded", moves);
        json.put("bytesToMove", moveBytes);
        json.put("stuckBlocks", stuck);
        json.put("fewestMovesToAnyNode", fewestMoves);
        ObjectNode left = json.putObject("leftAlone");
        left.put("empty", files(FilePlan.Kind.EMPTY));
        left.put("singleReplica", files(FilePlan.Kind.SINGLE));
        left.put("erasureCoded", files(FilePlan.Kind.ERASURE_CODED));
        left.put("beingWritten", files(FilePlan.Kind.OPEN));
    }
}
