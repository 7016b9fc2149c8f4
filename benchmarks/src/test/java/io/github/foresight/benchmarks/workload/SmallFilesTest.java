/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.benchmarks.workload.SmallFiles.Naming;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SmallFilesTest {

    @Test
    void letters_areDifferentAndWithoutDigits() {
        assertThat(IntStream.range(0, 2000).mapToObj(Naming.LETTERS::name))
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("file-[a-z]{6}"));
    }

    @Test
    void throughput_isAsHadoopsBenchmarkHasIt() {
        assertThat(Naming.THROUGHPUT.name(0)).isEqualTo("ThroughputBenchDir0/ThroughputBench0");
        assertThat(Naming.THROUGHPUT.name(1999)).isEqualTo("ThroughputBenchDir1/ThroughputBench1999");
    }

    @Test
    void lengths_logNormal_lieAboutTheirMedianAndAreTheFilesOwn() {
        FileLengths lengths = FileLengths.parse(FileLengths.logNormal(65_536).toString());
        int[] sorted = IntStream.range(0, 4000).map(lengths::of).sorted().toArray();

        assertThat(sorted[2000]).isBetween(60_000, 71_000);
        assertThat(sorted[0]).isPositive();
        assertThat(sorted[3999]).isLessThanOrEqualTo(16 * 65_536);
        assertThat(sorted[340]).as("a standard deviation and a half below").isBetween(13_000, 19_000);
        assertThat(lengths.of(7)).isEqualTo(FileLengths.logNormal(65_536).of(7));
        assertThat(FileLengths.parse("100").of(7)).isEqualTo(100);
    }

    @Test
    void content_isTheFilesOwn() {
        SmallFiles files = new SmallFiles("/folder", FileLengths.equal(100), Naming.LETTERS);

        assertThat(files.content(1)).hasSize(100).isEqualTo(files.content(1)).isNotEqualTo(files.content(2));
    }
}
