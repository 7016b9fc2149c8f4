/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the most likely name for a mistyped one. */
final class NearestName {

    private NearestName() {}

    /** The name with the fewest edits (insertions, deletions, replacements), if they are few enough for a slip. */
    static Optional<String> of(String mistyped, Collection<String> names) {
        int slip = Math.max(2, mistyped.length() / 4);
        return names.stream()
                .min(Comparator.comparingInt((String name) -> edits(mistyped, name))
                        .thenComparing(name -> name))
                .filter(name -> edits(mistyped, name) <= slip);
    }

    /** Levenshtein distance, row by row. */
    static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
