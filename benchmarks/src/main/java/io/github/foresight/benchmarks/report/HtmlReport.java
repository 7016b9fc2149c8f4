/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;

/**
 * Reports as one HTML page that needs no other file and no network: a table, the conditions and the pictures of each report.
 *
 * <p>A ratio has a picture in its cell: the median as a dot, the range as a line, and behind it the range of stock HDFS against itself as a grey
 * band where the report has it. A dot inside the band is noise. With earlier reports, each ratio says how it has changed.
 */
public final class HtmlReport {

    private static final String TITLE = "Foresight for HDFS: benchmarks";
    private static final String STYLE = """
            body { font: 15px/1.5 sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em; color: #222 }
            table { border-collapse: collapse; margin: 1em 0 }
            th, td { border-bottom: 1px solid #ccc; padding: .25em .6em; text-align: left; vertical-align: top }
            td.figure { text-align: right; white-space: nowrap }
            td.ours { font-weight: bold }
            .missed, .lower { color: #b00020 }
            .higher { color: #00701a }
            svg { display: block; margin-left: auto }
            img { max-width: 100%; display: block; margin: 1em 0 }
            @page { size: A4 landscape; margin: 1cm }
            @media print { body { max-width: none; margin: 0; padding: 0; font-size: 9px } tr, img { break-inside: avoid } }
            """;

    private final HtmlWriter html;
    private final SortedMap<String, BenchReport> earlier;
    private final Path pictures;

    private HtmlReport(HtmlWriter html, SortedMap<String, BenchReport> earlier, Path pictures) {
        this.html = html;
        this.earlier = earlier;
        this.pictures = pictures;
    }

    /**
     * Writes the page.
     *
     * @param reports by name
     * @param earlier reports to compare with, by name; empty for no comparison
     */
    public static void write(SortedMap<String, BenchReport> reports, SortedMap<String, BenchReport> earlier, Path file)
            throws IOException {
        Path pictures = Files.createTempDirectory("foresight-report");
        try (Writer out = Files.newBufferedWriter(file)) {
            HtmlWriter html = new HtmlWriter(XMLOutputFactory.newFactory().createXMLStreamWriter(out));
            new HtmlReport(html, earlier, pictures).page(reports);
            html.end();
        } catch (XMLStreamException e) {
            throw new IOException(file + " could not be written", e);
        } finally {
            try (var drawn = Files.list(pictures)) {
                for (Path picture : drawn.toList()) {
                    Files.delete(picture);
                }
            }
            Files.delete(pictures);
        }
    }

    private void page(SortedMap<String, BenchReport> reports) throws IOException, XMLStreamException {
        html.begin(TITLE, STYLE);
        html.element("h1", TITLE);
        html.element(
                "p",
                "A figure is the median of its rounds. A ratio is the median, with its range in brackets. In the picture beside it the dot is the"
                        + " median, the line is the range, and the grey band is the range of stock HDFS against itself.");
        html.open("ul");
        for (Map.Entry<String, BenchReport> report : reports.entrySet()) {
            html.open("li");
            html.link("#" + report.getKey(), report.getKey());
            html.text(": " + targets(report.getValue().targets()));
            html.close();
        }
        html.close();
        for (Map.Entry<String, BenchReport> report : reports.entrySet()) {
            section(report.getKey(), report.getValue());
        }
    }

    private static String targets(List<PerformanceTarget> targets) {
        long met = targets.stream().filter(PerformanceTarget::met).count();
        return targets.isEmpty() ? "no targets" : met + " of " + targets.size() + " targets met";
    }

    private void section(String name, BenchReport report) throws IOException, XMLStreamException {
        html.open("section", "id", name);
        html.element("h2", name);
        html.element("code", report.header().command());
        table(report, earlier.get(name));
        html.open("ul");
        for (PerformanceTarget target : report.targets()) {
            html.element(
                    "li",
                    "Target: " + target.words() + ": " + (target.met() ? "met." : "not met."),
                    "class",
                    target.met() ? "met" : "missed");
        }
        for (String sentence : sentences(report)) {
            html.element("li", sentence);
        }
        html.close();
        ReportPictures.draw(report, pictures, name);
        for (Map.Entry<String, String> picture :
                ReportPictures.captions(report, name).entrySet()) {
            byte[] png = Files.readAllBytes(pictures.resolve(picture.getKey()));
            html.image("data:image/png;base64," + Base64.getEncoder().encodeToString(png), picture.getValue());
        }
        html.close();
    }

    private static List<String> sentences(BenchReport report) {
        List<String> sentences = new ArrayList<>(List.of(
                report.header().software().words() + ".",
                report.header().machineAndDate() + ".",
                TextReport.explanation(report)));
        sentences.addAll(report.conditions().sentences());
        return sentences;
    }

    private void table(BenchReport report, @Nullable BenchReport before) throws XMLStreamException {
        html.open("table");
        html.open("tr");
        html.element("th", "workload");
        html.element("th", "side");
        for (Column column : report.columns()) {
            html.element("th", column.heading());
            if (column.comparison() != Comparison.NONE) {
                html.element("th", column.comparison().heading());
            }
        }
        html.close();
        for (Result result : report.results()) {
            html.open("tr");
            html.element("td", result.workload().words());
            html.element("td", result.side(), "class", result.side().equals(Baseline.FORESIGHT) ? "ours" : "side");
            for (Column column : report.columns()) {
                FigureSpread figure = result.figures().get(column.name());
                html.element(
                        "td",
                        figure == null ? "-" : column.format(figure.value().median()),
                        "class",
                        "figure");
                if (column.comparison() != Comparison.NONE) {
                    ratio(report, before, result, column);
                }
            }
            html.close();
        }
        html.close();
    }

    private void ratio(BenchReport report, @Nullable BenchReport before, Result result, Column column)
            throws XMLStreamException {
        FigureSpread figure = result.figures().get(column.name());
        Spread range = figure == null ? null : figure.range();
        html.open("td", "class", "figure");
        if (figure == null || figure.ratio() == null || range == null) {
            html.text("-");
        } else {
            html.text(RatioText.of(result, figure));
            RatioPicture.draw(
                    html,
                    figure.ratio().median(),
                    range,
                    report.noise(result.workload(), column),
                    report.highestRatio(column));
            Spread earlierRange = before == null ? null : before.range(result.workload(), result.side(), column);
            if (earlierRange != null) {
                RatioChange change = RatioChange.between(earlierRange, range);
                html.open("div", "class", change.style());
                html.text(change.words(earlierRange));
                html.close();
            }
        }
        html.close();
    }
}
