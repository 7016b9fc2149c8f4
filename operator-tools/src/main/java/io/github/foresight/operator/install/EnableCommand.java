/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.install;

import com.google.common.io.MoreFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code foresight enable}: first the jar, then the properties, for a daemon does not start with a class that it cannot load. Nothing is
 * copied if the properties cannot be added. */
@Command(
        name = "enable",
        description =
                "Installs one role on this node: its properties in Hadoop's configuration file, and its jar. Restarts nothing."
                        + " A second run changes nothing. The earlier file stays beside the new one as a copy.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class EnableCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private SiteOptions site = new SiteOptions();

    @Option(
            names = "--lib",
            description = "The folder of the process's class path that gets the jar, such as"
                    + " $HADOOP_HOME/share/hadoop/hdfs/lib. If not given, no jar is copied.")
    private @Nullable Path lib;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        SiteChange change = site.plan(RoleBlock::enabled);
        if (lib != null) {
            copyJar(lib, out);
        }
        change.apply(site.isDryRun(), out);
        if (lib == null) {
            out.println("Next: put lib/" + site.role().jar() + " on the class path, if it is not there.");
        }
        out.println("Next: bin/foresight check --role " + site.role().word() + " --conf " + site.conf()
                + "; then restart the process.");
        out.flush();
        return 0;
    }

    /** Copies the jar beside its place and renames it: a JVM that has the present jar open keeps that one. */
    private void copyJar(Path folder, PrintWriter out) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new NoSuchFileException("--lib " + folder + " is not a folder");
        }
        Path jar = SiteOptions.ofRelease("lib", site.role().jar());
        Path to = folder.resolve(site.role().jar());
        if (Files.exists(to) && MoreFiles.asByteSource(jar).contentEquals(MoreFiles.asByteSource(to))) {
            out.println(to + " stays as it is.");
            return;
        }
        if (site.isDryRun()) {
            out.println("Would copy " + jar + " to " + to + ".");
            return;
        }
        Path next = Files.createTempFile(folder, "." + site.role().jar(), ".new");
        try {
            Files.copy(jar, next, StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-r--r--"));
            Files.move(next, to, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(next);
        }
        out.println(to + " is copied.");
    }
}
