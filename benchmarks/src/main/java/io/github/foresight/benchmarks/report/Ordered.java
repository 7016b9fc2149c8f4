/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Copies of maps. */
final class Ordered {

    private Ordered() {}

    /** An unmodifiable copy in the order of the original, which {@link Map#copyOf} does not keep. */
    static <V> Map<String, V> copyOf(Map<String, V> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
