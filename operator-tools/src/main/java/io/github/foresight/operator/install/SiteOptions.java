/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.install;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options of {@code enable} and {@code disable}, and the change of a configuration file that both make. */
final class SiteOptions {

    private static final int LINES_AROUND = 3;

    @Option(names = "--role", required = true, description = "What runs here: ${COMPLETION-CANDIDATES}.")
    @SuppressWarnings("NullAway.Init")
    private InstalledRole role;

    @Option(
            names = "--conf",
            required = true,
            description = "The folder with hdfs-site.xml, and for clients with core-site.xml, that the process reads.")
    @SuppressWarnings("NullAway.Init")
    private Path conf;

    @Option(names = "--dry-run", description = "Show what would change, and change nothing.")
    private boolean isDryRun;

    InstalledRole role() {
        return role;
    }

    Path conf() {
        return conf;
    }

    boolean isDryRun() {
        return isDryRun;
    }

    /** A file of the release that this command came with. */
    static Path ofRelease(String folder, String name) throws IOException {
        Path file = Paths.get(System.getProperty("foresight.home", "."))
                .resolve(folder)
                .resolve(name);
        if (!Files.isReadable(file)) {
            throw new NoSuchFileException(file + " of the release is not there or cannot be read");
        }
        return file;
    }

    /** A decision on the text of a file. */
    @FunctionalInterface
    interface Decision {
        RoleBlock.Change change(RoleBlock block, SiteText site, Map<String, String> effective);
    }

    /**
     * Prints a decision's change of the role's configuration file as a diff, and writes the file, unless this is a dry run.
     *
     * @return whether the decision changes anything
     */
    boolean change(Decision decision, PrintWriter out) throws IOException {
        if (!Files.isDirectory(conf)) {
            throw new NoSuchFileException("--conf " + conf + " is not a folder");
        }
        Path named = conf.resolve(role.site());
        SiteFile file = new SiteFile(named);
        SiteText before = file.text();
        RoleBlock block = new RoleBlock(role, new SiteFile(ofRelease("conf", role.fragment())).text());
        RoleBlock.Change change;
        try {
            change = decision.change(block, before, file.properties());
        } catch (SiteException e) {
            throw new IOException(named + ": " + e.getMessage(), e);
        }
        change.notes().forEach(note -> out.println("Note: " + note + "."));
        if (change.text().toString().equals(before.toString())) {
            out.println(named + " stays as it is.");
            return false;
        }
        unifiedDiff(named, before, change.text()).forEach(out::println);
        if (!isDryRun) {
            Path copy = file.replace(change.text(), change.properties());
            out.println(copy == null ? named + " is new." : named + " is changed; as it was: " + copy);
        }
        return true;
    }

    private static List<String> unifiedDiff(Path named, SiteText before, SiteText after) {
        List<String> lines = lines(before);
        return UnifiedDiffUtils.generateUnifiedDiff(
                named.toString(), named.toString(), lines, DiffUtils.diff(lines, lines(after)), LINES_AROUND);
    }

    private static List<String> lines(SiteText text) {
        return ImmutableList.copyOf(Splitter.on('\n').split(text.toString()));
    }
}
