/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

import com.google.common.collect.ImmutableSet;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code foresight simulate}: the gain of prediction on a trace. */
@Command(
        name = "simulate",
        description =
                "Replays a trace of file accesses and prints the hit ratio of a cache without and with prediction.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class Simulate implements Callable<Integer> {

    @Parameters(
            paramLabel = "TRACE",
            description = "Lines of micros, client, operation, path, parted by tabs; or of bare keys. May be gzipped.")
    private Path trace = Paths.get("");

    @Option(
            names = "--operations",
            split = ",",
            description = "The operations to replay, separated by commas; all if not given.")
    private Set<String> operations = ImmutableSet.of();

    @Mixin
    private ReplaySettings settings = new ReplaySettings();

    public static void main(String[] args) {
        System.exit(new CommandLine(new Simulate())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    command.getErr().println("foresight simulate: " + (e instanceof IOException ? e.getMessage() : e));
                    return command.getCommandSpec().exitCodeOnExecutionException();
                })
                .execute(args));
    }

    @Override
    public Integer call() throws IOException {
        Trace accesses = TraceReader.read(trace, operations);
        int group = settings.group;
        settings.group = 0;
        ReplayResult without = Replay.run(accesses, settings);
        settings.group = group;
        ReplayResult with = Replay.run(accesses, settings);
        System.out.printf(
                Locale.ROOT,
                "%d accesses of %d files by %d clients, a cache of %d entries%n"
                        + "  hit ratio without prediction  %.4f%n"
                        + "  hit ratio with prediction     %.4f%n"
                        + "  predictions used              %.2f%n"
                        + "  predictions per access        %.2f%n",
                accesses.size(),
                accesses.fileCount(),
                accesses.clientCount(),
                settings.entries,
                without.hitRatio(),
                with.hitRatio(),
                with.precision(),
                with.prefetchesPerAccess());
        return 0;
    }
}
