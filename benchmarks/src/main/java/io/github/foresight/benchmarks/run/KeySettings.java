/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.run;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** Keys that a benchmark's user sets, as an option of its command. */
public final class KeySettings {

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A key of Foresight's to set in all its processes; may be given more than once.")
    private Map<String, String> settings = new LinkedHashMap<>();

    /** The keys of a benchmark, and the user's, which count where both set one. */
    public Map<String, String> over(Map<String, String> ownOfTheBenchmark) {
        Map<String, String> all = new LinkedHashMap<>(ownOfTheBenchmark);
        all.putAll(settings);
        return all;
    }
}
