/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Circumstances of all measurements of a run. Immutable.
 *
 * @param facts for machines: whether each circumstance was given
 * @param sentences for people, below the table
 */
public record RunConditions(Map<String, Boolean> facts, List<String> sentences) {

    /** Circumstances that need no word. */
    public static final RunConditions NONE = new RunConditions(Map.of(), List.of());

    public RunConditions {
        facts = Ordered.copyOf(facts);
        sentences = List.copyOf(sentences);
    }

    /** A further sentence. */
    public RunConditions saying(String sentence) {
        List<String> all = new ArrayList<>(sentences);
        all.add(sentence);
        return new RunConditions(facts, all);
    }

    /** All bytes that were read are known to be the bytes that were written; otherwise the benchmark fails. */
    public RunConditions verified(String sentence) {
        return fact("verified", true).saying(sentence);
    }

    /**
     * Disks of limited speed.
     *
     * @param reason why disks are neither limited nor counted, or null where they are
     * @param limited whether a limit was asked for
     */
    public RunConditions throttled(@Nullable String reason, boolean limited) {
        RunConditions with = fact("throttled", reason == null && limited);
        return reason == null
                ? with
                : with.saying("Disks were NOT limited, so this says little about spinning disks: " + reason);
    }

    /** Whether the page cache was emptied before each measurement. */
    public RunConditions cold(boolean emptied) {
        RunConditions with = fact("cold", emptied);
        return emptied
                ? with
                : with.saying("The page cache could NOT be emptied (root is needed): these are figures of warm reads.");
    }

    private RunConditions fact(String name, boolean holds) {
        Map<String, Boolean> all = new LinkedHashMap<>(facts);
        all.put(name, holds);
        return new RunConditions(all, sentences);
    }
}
