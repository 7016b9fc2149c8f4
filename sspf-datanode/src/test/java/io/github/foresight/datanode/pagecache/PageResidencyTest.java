/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.LastErrorException;
import io.github.foresight.core.cache.ResidentPages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real file of which half is in memory, in sandboxes that refuse the cheap question. */
class PageResidencyTest {

    private static final int FILE_BYTES = 4 << 20;
    private static final int HALF_BYTES = FILE_BYTES / 2;
    private static final int EBADF = 9;

    @TempDir
    private Path directory;

    private final AtomicInteger asked = new AtomicInteger();
    private Path file;
    private int fd = -1;

    @BeforeEach
    void fileHalfInMemory() throws IOException {
        assumeTrue(ResidentFile.nativeUnavailableReason() == null, ResidentFile.nativeUnavailableReason());
        file = directory.resolve("blk_1");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(FILE_BYTES));
            channel.force(true);
        }
        PageCache.evict(file);
        fd = PageCacheFile.descriptor(file, LinuxCalls.POSIX_FADV_RANDOM);
        assumeTrue(PageCache.residentBytes(file, 0, FILE_BYTES) == 0, "pages can be dropped, and mincore tells");
        LinuxCalls.pread(fd, new byte[HALF_BYTES], HALF_BYTES, 0);
    }

    @AfterEach
    void close() {
        if (fd >= 0) {
            LinuxCalls.close(fd);
        }
    }

    @Test
    void of_cachestatForbidden_asksPageByPage_andNeverAgain() {
        PageResidency sandboxed = refusing(LinuxCalls.EPERM);
        assertThat(knownAbsent(sandboxed)).isEqualTo(HALF_BYTES);
        assertThat(knownAbsent(sandboxed)).isEqualTo(HALF_BYTES);
        assertThat(asked).as("vain calls").hasValue(1);
    }

    @Test
    void isResident_cachestatForbidden_isNotAskedAgain() {
        PageResidency sandboxed = refusing(LinuxCalls.EPERM);
        assertThat(sandboxed.isResident(fd, file, 0, HALF_BYTES)).isFalse();
        assertThat(sandboxed.isStillResident(fd, file, 0, HALF_BYTES)).isTrue();
        assertThat(asked).as("vain calls").hasValue(1);
    }

    @Test
    void of_cachestatFailsForOneFile_asksPageByPage_andTriesTheNextFile() {
        PageResidency failing = refusing(EBADF);
        assertThat(knownAbsent(failing)).isEqualTo(HALF_BYTES);
        assertThat(knownAbsent(failing)).isEqualTo(HALF_BYTES);
        assertThat(asked).hasValue(2);
    }

    private PageResidency refusing(int errno) {
        return new PageResidency((descriptor, offset, length) -> {
            asked.incrementAndGet();
            throw new LastErrorException(errno);
        });
    }

    /** The bytes that are known to be absent; 0 if nothing is known. */
    private long knownAbsent(PageResidency residency) {
        ResidentPages pages = residency.of(fd, file, FILE_BYTES);
        long[] absent = new long[1];
        pages.forEachOwn(0, FILE_BYTES, (begin, end) -> absent[0] += end - begin);
        return absent[0];
    }
}
