/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options of {@code enable} and {@code disable}, and the configuration file that both change. */
final class SiteOptions {

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
     * Decides on the change of the role's configuration file, and checks it. Writes nothing.
     *
     * @throws IOException if the file cannot be read, or cannot be changed as decided
     */
    SiteChange plan(Decision decision) throws IOException {
        if (!Files.isDirectory(conf)) {
            throw new NoSuchFileException("--conf " + conf + " is not a folder");
        }
        Path named = conf.resolve(role.site());
        SiteFile file = new SiteFile(named);
        SiteText before = file.text();
        RoleBlock block = new RoleBlock(role, new SiteFile(ofRelease("conf", role.fragment())).text());
        try {
            RoleBlock.Change change = decision.change(block, before, file.properties());
            file.check(change.text(), change.properties());
            return new SiteChange(named, file, before, change);
        } catch (SiteException e) {
            throw new IOException(named + ": " + e.getMessage(), e);
        }
    }
}
