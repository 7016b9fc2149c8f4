/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

/** How a ratio differs from an earlier one. Ranges that overlap are no change. */
enum RatioChange {
    NONE("as before", "same"),
    HIGHER("higher than before", "higher"),
    LOWER("lower than before", "lower");

    private final String words;
    private final String style;

    RatioChange(String words, String style) {
        this.words = words;
        this.style = style;
    }

    static RatioChange between(Spread before, Spread now) {
        if (now.lowest() > before.highest()) {
            return HIGHER;
        }
        return now.highest() < before.lowest() ? LOWER : NONE;
    }

    /** The change and the earlier range. */
    String words(Spread before) {
        return words + ": " + RatioText.number(before.lowest()) + " to " + RatioText.number(before.highest());
    }

    /** The class of the page's style sheet. */
    String style() {
        return style;
    }
}
