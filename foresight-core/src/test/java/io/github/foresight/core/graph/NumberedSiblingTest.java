/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class NumberedSiblingTest {

    @Test
    void after_numberedNames_givesTheNext() {
        assertThat(NumberedSibling.after("/out/part-00016")).isEqualTo("/out/part-00017");
        assertThat(NumberedSibling.after("/out/part-r-00016")).isEqualTo("/out/part-r-00017");
        assertThat(NumberedSibling.after("/out/part-00009-3f2a-77-c000.snappy.parquet"))
                .isEqualTo("/out/part-00010-3f2a-77-c000.snappy.parquet");
        assertThat(NumberedSibling.after("/logs/2024/app_2024_01.csv.gz")).isEqualTo("/logs/2024/app_2024_02.csv.gz");
        assertThat(NumberedSibling.after("/t/000000_0")).isEqualTo("/t/000000_1");
        assertThat(NumberedSibling.after("/t/99")).isEqualTo("/t/100");
    }

    @Test
    void after_namesWithoutANumber_givesNothing() {
        assertThat(NumberedSibling.after("/2024/_SUCCESS")).isNull();
        assertThat(NumberedSibling.after("/a/part-")).isNull();
        assertThat(NumberedSibling.after("/")).isNull();
        assertThat(NumberedSibling.after("")).isNull();
        assertThat(NumberedSibling.after("/a/20240131235959"))
                .as("a time is no number")
                .isNull();
        assertThat(NumberedSibling.after("/a/x.2")).as("nor is an extension").isNull();
    }

    @Property
    void after_anyName_isNeverTheSameAndStaysInTheFolder(@ForAll String name) {
        String path = "/folder/" + name.replace('/', '_');
        String next = NumberedSibling.after(path);
        if (next != null) {
            assertThat(next).isNotEqualTo(path).startsWith("/folder/").hasSizeBetween(path.length(), path.length() + 1);
        }
    }

    @Property
    void after_paddedNumber_countsOn(@ForAll @IntRange(min = 0, max = 99_998) int number) {
        assertThat(NumberedSibling.after(String.format("/d/part-%05d", number)))
                .isEqualTo(String.format("/d/part-%05d", number + 1));
    }
}
