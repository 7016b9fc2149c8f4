/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.util.Locale;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;

/** A ratio as a small SVG picture on a scale from zero: dot, line, and the grey band of noise. The mark at 1 is stock HDFS. */
final class RatioPicture {

    private static final int WIDTH = 120;
    private static final int HEIGHT = 14;
    private static final int RADIUS = 3;

    private RatioPicture() {}

    /**
     * Draws a ratio.
     *
     * @param range the lowest and the highest ratio
     * @param noise the range of stock HDFS against itself; null if it was not measured
     * @param highest the end of the scale, which all ratios of a column share
     */
    static void draw(HtmlWriter html, double median, Spread range, @Nullable Spread noise, double highest)
            throws XMLStreamException {
        html.open(
                "svg",
                "width",
                String.valueOf(WIDTH),
                "height",
                String.valueOf(HEIGHT),
                "role",
                "img",
                "aria-label",
                text(median));
        if (noise != null) {
            html.empty(
                    "rect",
                    "x",
                    at(noise.lowest(), highest),
                    "y",
                    "0",
                    "width",
                    text(Math.max(1, place(noise.highest(), highest) - place(noise.lowest(), highest))),
                    "height",
                    String.valueOf(HEIGHT),
                    "fill",
                    "#ddd");
        }
        line(html, at(1, highest), at(1, highest), 0, HEIGHT, "#888");
        line(html, at(range.lowest(), highest), at(range.highest(), highest), HEIGHT / 2, HEIGHT / 2, "#1f77b4");
        html.empty(
                "circle",
                "cx",
                at(median, highest),
                "cy",
                String.valueOf(HEIGHT / 2),
                "r",
                String.valueOf(RADIUS),
                "fill",
                "#1f77b4");
        html.close();
    }

    private static void line(HtmlWriter html, String fromX, String toX, int fromY, int toY, String colour)
            throws XMLStreamException {
        html.empty(
                "line",
                "x1",
                fromX,
                "y1",
                String.valueOf(fromY),
                "x2",
                toX,
                "y2",
                String.valueOf(toY),
                "stroke",
                colour,
                "stroke-width",
                "2");
    }

    private static String at(double ratio, double highest) {
        return text(place(ratio, highest));
    }

    /** The place of a ratio on the scale, with room for a dot at both ends. */
    static double place(double ratio, double highest) {
        return RADIUS + (WIDTH - 2 * RADIUS) * Math.min(1, Math.max(0, ratio / highest));
    }

    private static String text(double number) {
        return String.format(Locale.ROOT, "%.1f", number);
    }
}
