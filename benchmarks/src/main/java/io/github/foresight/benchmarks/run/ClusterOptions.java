/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.run;

import io.github.foresight.cluster.AtExit;
import io.github.foresight.cluster.FileTree;
import io.github.foresight.protocol.conf.ByteSize;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Options of every command that starts daemons, and the class path and the release that {@code bin/foresight} has found. */
public final class ClusterOptions {

    /** Places these options after a command's own. */
    private static final int LAST = 1;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec command;

    @Option(
            names = "--hadoop-version",
            order = LAST,
            defaultValue = "3.4.3",
            description = "Hadoop to run: 3.3.6, 3.4.3 or 3.5.0 (${DEFAULT-VALUE}).")
    private String hadoopVersion = "";

    @Option(
            names = "--work-dir",
            order = LAST,
            description = "In which directory everything is written; the temporary directory if not given.")
    private @Nullable Path workDir;

    @Option(
            names = "--json",
            order = LAST,
            description = "Write all measurements and results to this file as well, for machines.")
    private @Nullable Path json;

    @Option(
            names = "--csv",
            order = LAST,
            description = "Write the results to this file as well, as a table of comma-separated values.")
    private @Nullable Path csv;

    public String hadoopVersion() {
        return hadoopVersion;
    }

    /** The file for the report as JSON, or null. */
    public @Nullable Path json() {
        return json;
    }

    /** The file for the results as comma-separated values, or null. */
    public @Nullable Path csv() {
        return csv;
    }

    /** The release whose jars are installed. */
    public Path home() {
        return Path.of(found("foresight.home"));
    }

    /** The jars of a benchmark's application; empty if it needs only Hadoop's client. */
    public List<Path> applicationJars() {
        return Arrays.stream(System.getProperty("foresight.application.classpath", "")
                        .strip()
                        .split(File.pathSeparator))
                .filter(jar -> !jar.isEmpty())
                .map(Path::of)
                .toList();
    }

    public String hadoopClasspath() {
        return found("foresight.hadoop.classpath");
    }

    private String found(String property) {
        String value = System.getProperty(property, "");
        if (value.isEmpty()) {
            throw new ParameterException(
                    command.commandLine(),
                    "start this with bin/foresight, which finds Hadoop " + hadoopVersion + " and the jars");
        }
        return value;
    }

    /** Makes an empty directory for the files of daemons. */
    public Path newDirectory(String prefix) throws IOException {
        return workDir == null
                ? Files.createTempDirectory(prefix)
                : Files.createTempDirectory(Files.createDirectories(workDir), prefix);
    }

    /** Makes an empty directory that is deleted when this JVM ends, also by a signal. */
    public Path newTemporaryDirectory(String prefix) throws IOException {
        Path directory = newDirectory(prefix);
        AtExit.ofJvm().add(() -> FileTree.delete(directory));
        return directory;
    }

    /**
     * Refuses a number that is too small.
     *
     * @throws ParameterException naming the option, the value and the accepted range
     */
    public void require(String option, long value, long least) {
        if (value < least) {
            throw new ParameterException(
                    command.commandLine(), option + " is " + value + "; accepted is a number from " + least + " on");
        }
    }

    /**
     * Refuses a number that is not a multiple of another.
     *
     * @throws ParameterException naming the option, the value and the number
     */
    public void requireMultiple(String option, long value, long of) {
        if (value % of != 0) {
            throw new ParameterException(
                    command.commandLine(), option + " is " + value + "; accepted is a multiple of " + of);
        }
    }

    /** Reads a number of bytes in Hadoop's notation, such as {@code 64m}. */
    public static final class Size implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            try {
                return ByteSize.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
