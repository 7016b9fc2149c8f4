/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientSettingsTest {

    private final Configuration conf = new Configuration(false);

    @ParameterizedTest
    @CsvSource({
        "foresight.client.consistency, strict, true",
        "foresight.client.consistency, bounded, false",
        "foresight.client.consistency, off, false",
        "foresight.client.metadata.status.enabled, false, false"
    })
    void statuses_areServedUnderALeaseAlone(String key, String value, boolean served) {
        conf.set(key, value);
        assertThat(ClientSettings.read(conf).servesStatuses()).isEqualTo(served);
    }

    @ParameterizedTest
    @CsvSource({
        "/t/part-0.snappy.parquet, 262144",
        "/t/part-0.orc, 262144",
        "/t/part-0.json, 0",
        "/t.parquet/part-0, 0",
    })
    void footers_areThoseOfColumnarFiles(String path, long bytes) {
        assertThat(ClientSettings.read(conf).footerBytes(path)).isEqualTo(bytes);
    }

    @Test
    void footers_haveSuffixesAndALengthOfTheirOwn() {
        conf.set("foresight.client.data.footer", "1m");
        conf.set("foresight.client.data.footer.suffixes", ".col");
        assertThat(ClientSettings.read(conf).footerBytes("/a.col")).isEqualTo(1 << 20);
        assertThat(ClientSettings.read(conf).footerBytes("/a.parquet")).isZero();
    }

    @Test
    void vectoredReads_switchedOff_areHdfss() {
        conf.set("foresight.client.vectored.enabled", "false");
        assertThat(ClientSettings.read(conf).vectoredReads()).isNull();
    }
}
