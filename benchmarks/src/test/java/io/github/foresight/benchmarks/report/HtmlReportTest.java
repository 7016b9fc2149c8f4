/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import static io.github.foresight.benchmarks.report.ReportSamples.SPEED;
import static io.github.foresight.benchmarks.report.ReportSamples.WORK;
import static io.github.foresight.benchmarks.report.ReportSamples.measurement;
import static io.github.foresight.benchmarks.report.ReportSamples.report;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class HtmlReportTest {

    @TempDir
    private Path folder;

    private static BenchReport sample(double ours) {
        return report(List.of(
                        measurement(Baseline.STOCK, 1, 1, 10),
                        measurement(Baseline.STOCK_AGAIN, 1, 1, 11),
                        measurement(Baseline.FORESIGHT, 1, 1, ours),
                        measurement(Baseline.STOCK, 1, 2, 10),
                        measurement(Baseline.STOCK_AGAIN, 1, 2, 9),
                        measurement(Baseline.FORESIGHT, 1, 2, ours * 1.1)))
                .target("fast & <cheap>", 2, result -> true, result -> false);
    }

    private Document page(BenchReport now, SortedMap<String, BenchReport> earlier) throws Exception {
        Path file = folder.resolve("report.html");
        HtmlReport.write(new TreeMap<>(Map.of("work", now)), earlier, file);
        String text = Files.readString(file).replace("<!DOCTYPE html>", "");
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<Element> elements(Document page, String name) {
        NodeList found = page.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            elements.add((Element) found.item(i));
        }
        return elements;
    }

    @Test
    void page_hasEachResultAndTarget_escaped() throws Exception {
        Document page = page(sample(20), new TreeMap<>());

        assertThat(elements(page, "tr")).hasSize(1 + 3);
        assertThat(elements(page, "td")).extracting(Element::getTextContent).contains("some work", "Foresight", "21.0");
        assertThat(elements(page, "li"))
                .extracting(Element::getTextContent)
                .contains("Target: fast & <cheap>: not met.", "work: 0 of 1 targets met");
    }

    @Test
    void page_needsNoOtherFile() throws Exception {
        Document page = page(sample(20), new TreeMap<>());

        assertThat(elements(page, "img")).isNotEmpty().allSatisfy(image -> assertThat(image.getAttribute("src"))
                .startsWith("data:image/png;base64,"));
        assertThat(elements(page, "a"))
                .allSatisfy(link -> assertThat(link.getAttribute("href")).startsWith("#"));
        assertThat(List.of("script", "link", "iframe"))
                .allSatisfy(name -> assertThat(elements(page, name)).isEmpty());
    }

    @Test
    void stockAgainstItself_isTheBandBehindEachRatio() throws Exception {
        assertThat(elements(page(sample(20), new TreeMap<>()), "rect")).hasSize(3 * 2);
        BenchReport once = report(List.of(measurement(Baseline.STOCK, 1, 1, 10)));
        assertThat(elements(page(once, new TreeMap<>()), "rect")).isEmpty();
    }

    @Test
    void earlierReport_marksRatiosOutsideTheEarlierRange() throws Exception {
        assertThat(changes(sample(40), sample(20))).contains("higher").doesNotContain("lower");
        assertThat(changes(sample(20), sample(40))).contains("lower").doesNotContain("higher");
        assertThat(changes(sample(20), sample(20.5))).containsOnly("same");
    }

    private List<String> changes(BenchReport now, BenchReport before) throws Exception {
        return elements(page(now, new TreeMap<>(Map.of("work", before))), "div").stream()
                .map(change -> change.getAttribute("class"))
                .toList();
    }

    @Test
    void place_isWithinThePicture() {
        assertThat(RatioPicture.place(0, 2)).isEqualTo(3);
        assertThat(RatioPicture.place(1, 2)).isEqualTo(60);
        assertThat(RatioPicture.place(9, 2)).isEqualTo(117);
    }

    @Test
    void noise_isTheRangeOfStockAgain() {
        Spread noise = sample(20).noise(WORK, SPEED);
        assertThat(noise).isNotNull();
        assertThat(noise.lowest()).isLessThan(1);
        assertThat(noise.highest()).isGreaterThan(1);
    }
}
