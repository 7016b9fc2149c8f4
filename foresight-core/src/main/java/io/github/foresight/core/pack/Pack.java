/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.pack;

import com.google.common.collect.ImmutableMap;
import com.google.common.hash.Hashing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The content of a pack: a header, followed by records with a checksum each.
 *
 * <pre>
 *   pack   = "FSPACK" 0 2 record*
 *   record = 'P' 'R' 'E' 'C', block id (8), generation stamp (8), block length (8), file mark (8), n (4), n bytes of metadata,
 *            CRC-32C of all that (4); integers big-endian
 * </pre>
 *
 * <p>Records are only appended. If a block has several records, the last counts. Reading ends at the first damaged
 * record. A torn write or a lost sector costs only the records behind it. The data of these records is also in
 * {@code .meta} files. The next append goes to {@link #wholeBytes()}, and overwrites the damaged record.
 *
 * <p>A look-up returns an entry only for its exact generation stamp and length. The caller must check whether the file
 * mark is still valid. Reading takes linear time, a look-up constant time. Immutable and thread-safe.
 */
public final class Pack {

    /** A pack without records and without a header. */
    public static final Pack EMPTY = new Pack(ImmutableMap.of(), 0, 0);

    private static final byte[] HEADER = {'F', 'S', 'P', 'A', 'C', 'K', 0, 2};
    private static final int RECORD_MAGIC = 0x50524543;
    private static final int RECORD_OVERHEAD_BYTES = 4 + 8 + 8 + 8 + 8 + 4 + 4;
    private static final int CRC_BYTES = 4;

    /** A pack with fewer dead bytes is not rewritten; chosen, not measured. */
    static final int DEAD_BYTES_MIN = 16 << 10;

    private final Map<Long, PackEntry> entries;
    private final int wholeBytes;
    private final int liveBytes;

    private Pack(Map<Long, PackEntry> entries, int wholeBytes, int liveBytes) {
        this.entries = entries;
        this.wholeBytes = wholeBytes;
        this.liveBytes = liveBytes;
    }

    /** Reads the undamaged part of a pack; {@link #EMPTY} if the bytes do not begin with the header. */
    public static Pack read(byte[] bytes) {
        if (bytes.length < HEADER.length || !startsWithHeader(bytes)) {
            return EMPTY;
        }
        Map<Long, PackEntry> entries = new LinkedHashMap<>();
        int at = HEADER.length;
        while (true) {
            PackEntry entry = entryAt(bytes, at);
            if (entry == null) {
                return new Pack(entries, at, liveBytes(entries.values()));
            }
            putLast(entries, entry);
            at += recordBytes(entry);
        }
    }

    private static boolean startsWithHeader(byte[] bytes) {
        for (int i = 0; i < HEADER.length; i++) {
            if (bytes[i] != HEADER[i]) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable PackEntry entryAt(byte[] bytes, int at) {
        if (bytes.length - at < RECORD_OVERHEAD_BYTES) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes, at, bytes.length - at);
        if (buffer.getInt() != RECORD_MAGIC) {
            return null;
        }
        long blockId = buffer.getLong();
        long generationStamp = buffer.getLong();
        long lengthBytes = buffer.getLong();
        long fileMark = buffer.getLong();
        int metadataBytes = buffer.getInt();
        if (lengthBytes < 0
                || metadataBytes < 1
                || metadataBytes > PackEntry.METADATA_BYTES_MAX
                || buffer.remaining() < metadataBytes + CRC_BYTES) {
            return null;
        }
        byte[] metadata = new byte[metadataBytes];
        buffer.get(metadata);
        return crc(bytes, at, RECORD_OVERHEAD_BYTES - CRC_BYTES + metadataBytes) == buffer.getInt()
                ? new PackEntry(blockId, generationStamp, lengthBytes, fileMark, metadata)
                : null;
    }

    /** Keeps the order of records, so that the entry that was added last is last. */
    private static void putLast(Map<Long, PackEntry> entries, PackEntry entry) {
        entries.remove(entry.blockId());
        entries.put(entry.blockId(), entry);
    }

    private static int crc(byte[] bytes, int at, int length) {
        return Hashing.crc32c().hashBytes(bytes, at, length).asInt();
    }

    private static int recordBytes(PackEntry entry) {
        return RECORD_OVERHEAD_BYTES + entry.metadataBytes();
    }

    private static int liveBytes(Collection<PackEntry> entries) {
        return entries.stream().mapToInt(Pack::recordBytes).sum();
    }

    /** The bytes that append entries to this pack, to be written at {@link #wholeBytes()}. */
    public byte[] append(List<PackEntry> added) {
        int header = wholeBytes == 0 ? HEADER.length : 0;
        ByteBuffer buffer = ByteBuffer.allocate(header + liveBytes(added));
        if (header > 0) {
            buffer.put(HEADER);
        }
        for (PackEntry entry : added) {
            int at = buffer.position();
            buffer.putInt(RECORD_MAGIC)
                    .putLong(entry.blockId())
                    .putLong(entry.generationStamp())
                    .putLong(entry.lengthBytes())
                    .putLong(entry.fileMark())
                    .putInt(entry.metadataBytes())
                    .put(entry.rawMetadata());
            buffer.putInt(crc(buffer.array(), at, buffer.position() - at));
        }
        return buffer.array();
    }

    /** This pack after {@link #append} was written. */
    public Pack with(List<PackEntry> added) {
        Map<Long, PackEntry> all = new LinkedHashMap<>(entries);
        added.forEach(entry -> putLast(all, entry));
        int bytes = wholeBytes + (wholeBytes == 0 ? HEADER.length : 0) + liveBytes(added);
        return new Pack(all, bytes, liveBytes(all.values()));
    }

    /**
     * The pack that replaces this pack if most of its bytes are dead, in records of deleted blocks and of earlier
     * states. Null if no replacement is worthwhile.
     */
    public @Nullable Pack compacted(Predicate<PackEntry> isLive) {
        Map<Long, PackEntry> live = new LinkedHashMap<>();
        entries.forEach((blockId, entry) -> {
            if (isLive.test(entry)) {
                live.put(blockId, entry);
            }
        });
        int bytes = liveBytes(live.values());
        int dead = wholeBytes - HEADER.length - bytes;
        if (dead < DEAD_BYTES_MIN || dead < bytes) {
            return null;
        }
        return new Pack(live, HEADER.length + bytes, bytes);
    }

    /** The newest live entries that fit into a pack of limited size. */
    public Pack newest(int mostBytes, Predicate<PackEntry> isLive) {
        List<PackEntry> kept = new ArrayList<>(entries.values());
        Collections.reverse(kept);
        int bytes = HEADER.length;
        List<PackEntry> newest = new ArrayList<>();
        for (PackEntry entry : kept) {
            if (isLive.test(entry) && bytes + recordBytes(entry) <= mostBytes) {
                bytes += recordBytes(entry);
                newest.add(entry);
            }
        }
        Collections.reverse(newest);
        return EMPTY.with(newest);
    }

    /** The bytes of the whole pack, without dead records. */
    public byte[] toBytes() {
        return EMPTY.append(new ArrayList<>(entries.values()));
    }

    /** The entry of a block for this generation stamp and length, or null. */
    public @Nullable PackEntry find(long blockId, long generationStamp, long lengthBytes) {
        PackEntry entry = entries.get(blockId);
        return entry != null && entry.generationStamp() == generationStamp && entry.lengthBytes() == lengthBytes
                ? entry
                : null;
    }

    /** The length of the undamaged part from the file's begin. */
    public int wholeBytes() {
        return wholeBytes;
    }

    /** The bytes of live records. */
    public int liveBytes() {
        return liveBytes;
    }

    public int size() {
        return entries.size();
    }
}
