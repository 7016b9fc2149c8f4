/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.pack;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hashing;
import io.github.foresight.core.fuzz.Fuzz;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A disk or a torn write may damage a pack: its undamaged part is read, in bounded memory. */
class PackFuzzTest {

    private static final int HEADER_BYTES = 8;
    private static final int RECORD_BYTES_MIN = 44;
    private static final int METADATA_LENGTH_AT = 36;
    private static final int ALLOCATED_MAX = 64 << 10;
    private static final int ALLOCATED_MAX_PER_BYTE = 24;

    private static byte[] pack(int entries) {
        Random random = new Random(entries);
        List<PackEntry> all = new ArrayList<>();
        for (int i = 0; i < entries; i++) {
            byte[] metadata = new byte[1 + random.nextInt(40)];
            random.nextBytes(metadata);
            all.add(new PackEntry(
                    random.nextInt(6),
                    1000 + random.nextInt(3),
                    512L * random.nextInt(9),
                    random.nextLong(),
                    metadata));
        }
        return Pack.EMPTY.append(all);
    }

    private static Fuzz fuzz(String name) {
        return Fuzz.of(name, PackFuzzTest.class)
                .sample(pack(0))
                .sample(pack(1))
                .sample(pack(9))
                .allocatingAtMost(ALLOCATED_MAX, ALLOCATED_MAX_PER_BYTE);
    }

    @Test
    void pack_damaged_isReadUpToTheDamage() {
        fuzz("pack").into(PackFuzzTest::read);
    }

    /** With a wrong checksum, no damaged record would pass the check of the checksum. */
    @Test
    void pack_damagedUnderGoodChecksums_isReadUpToTheDamage() {
        fuzz("pack-with-checksums").into(message -> read(withChecksums(message)));
    }

    /** Gives each complete record the matching checksum. */
    private static byte[] withChecksums(byte[] message) {
        ByteBuffer buffer = ByteBuffer.wrap(message);
        int at = HEADER_BYTES;
        while (message.length - at >= RECORD_BYTES_MIN) {
            int metadata = buffer.getInt(at + METADATA_LENGTH_AT);
            if (metadata < 0 || metadata > message.length - at - RECORD_BYTES_MIN) {
                break;
            }
            int length = RECORD_BYTES_MIN - Integer.BYTES + metadata;
            int checksum = Hashing.crc32c().hashBytes(message, at, length).asInt();
            buffer.putInt(at + length, checksum);
            at += length + Integer.BYTES;
        }
        return message;
    }

    private static void read(byte[] message) {
        Pack pack = Pack.read(message);
        assertThat(pack.wholeBytes()).isBetween(0, message.length);
        assertThat(pack.liveBytes()).isBetween(0, message.length);
        assertThat(pack.size()).isLessThanOrEqualTo(message.length / RECORD_BYTES_MIN);
        PackEntry added = new PackEntry(99, 1, 1, 7, new byte[] {1});
        byte[] appended = pack.append(List.of(added));
        byte[] file = new byte[pack.wholeBytes() + appended.length];
        System.arraycopy(message, 0, file, 0, pack.wholeBytes());
        System.arraycopy(appended, 0, file, pack.wholeBytes(), appended.length);
        Pack again = Pack.read(file);
        assertThat(again.find(99, 1, 1)).isEqualTo(added);
        assertThat(again.wholeBytes()).isEqualTo(file.length);
        assertThat(again.toBytes().length).isLessThanOrEqualTo(file.length);
    }
}
