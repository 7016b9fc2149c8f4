/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.install;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** A checked change of a configuration file that is not written yet. Not thread-safe. */
final class SiteChange {

    private static final int LINES_AROUND = 3;

    private final Path named;
    private final SiteFile file;
    private final SiteText before;
    private final RoleBlock.Change change;

    SiteChange(Path named, SiteFile file, SiteText before, RoleBlock.Change change) {
        this.named = named;
        this.file = file;
        this.before = before;
        this.change = change;
    }

    /** Prints the change as a diff, and writes the file, unless this is a dry run. A change of nothing writes nothing. */
    void apply(boolean isDryRun, PrintWriter out) throws IOException {
        change.notes().forEach(note -> out.println("Note: " + note + "."));
        if (change.text().toString().equals(before.toString())) {
            out.println(named + " stays as it is.");
            return;
        }
        unifiedDiff().forEach(out::println);
        if (!isDryRun) {
            Path copy = file.replace(change.text());
            out.println(copy == null ? named + " is new." : named + " is changed; as it was: " + copy);
        }
    }

    private List<String> unifiedDiff() {
        List<String> lines = lines(before);
        return UnifiedDiffUtils.generateUnifiedDiff(
                named.toString(), named.toString(), lines, DiffUtils.diff(lines, lines(change.text())), LINES_AROUND);
    }

    private static List<String> lines(SiteText text) {
        return ImmutableList.copyOf(Splitter.on('\n').split(text.toString()));
    }
}
