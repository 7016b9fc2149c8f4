/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;

/** Collects the findings of a check in their order. Not thread-safe. */
final class Findings {

    private final List<Finding> all = new ArrayList<>();

    void fine(String subject, String message) {
        all.add(Finding.fine(subject, message));
    }

    void warning(String subject, String message, String remedy) {
        all.add(Finding.warning(subject, message, remedy));
    }

    void wrong(String subject, String message, String remedy) {
        all.add(Finding.wrong(subject, message, remedy));
    }

    List<Finding> toList() {
        return ImmutableList.copyOf(all);
    }
}
