/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class DiskThrottleTest {

    @Test
    void count_blkioFile_isTheReadsOfTheDevice() {
        List<String> lines = List.of("254:16 Read 5", "254:1 Read 9", "254:0 Read 17", "254:0 Write 3", "Total 34");

        assertThat(DiskThrottle.count(lines, "254:0")).isEqualTo(17);
        assertThat(DiskThrottle.count(lines, "8:0")).isZero();
    }

    @Test
    void unifiedCount_ioStat_isTheFieldOfTheDevice() {
        List<String> lines = List.of("8:16 rbytes=1 rios=1", "8:0 rbytes=4096 wbytes=8 rios=2 wios=3 dbytes=0 dios=0");

        assertThat(DiskThrottle.unifiedCount(lines, "8:0", "rbytes=")).isEqualTo(4096);
        assertThat(DiskThrottle.unifiedCount(lines, "8:0", "rios=")).isEqualTo(2);
        assertThat(DiskThrottle.unifiedCount(lines, "8:32", "rios=")).isZero();
    }

    @Test
    void deviceNumber_ofAnyEncoding_isMajorAndMinor() {
        assertThat(DiskThrottle.deviceNumber(0xfe00)).isEqualTo("254:0");
        assertThat(DiskThrottle.deviceNumber(0x0803)).isEqualTo("8:3");
        assertThat(DiskThrottle.deviceNumber(0x10110305L)).isEqualTo("259:65797");
    }

    @Test
    void diskReads_since_isTheDifference() {
        DiskReads reads = new DiskReads(10, 4096).since(new DiskReads(4, 1024)).plus(new DiskReads(1, 1));

        assertThat(reads.requests()).isEqualTo(7);
        assertThat(reads.bytes()).isEqualTo(3073);
    }
}
