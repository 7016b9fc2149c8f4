/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.run;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** The option {@code --set}, by which a user sets configuration keys. */
public final class KeySettings {

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A key of Foresight's to set in all its processes; may be given more than once.")
    private Map<String, String> settings = new LinkedHashMap<>();

    /** A benchmark's keys and the user's keys; of a key that is set in both, the user's value. */
    public Map<String, String> over(Map<String, String> ownOfTheBenchmark) {
        Map<String, String> all = new LinkedHashMap<>(ownOfTheBenchmark);
        all.putAll(settings);
        return all;
    }
}
