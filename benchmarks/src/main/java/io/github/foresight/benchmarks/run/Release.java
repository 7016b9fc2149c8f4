/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.run;

import io.github.foresight.cluster.Installation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An unpacked release: the jar and the configuration fragment that an operator installs for each role. Immutable. */
public final class Release {

    private static final String RESULTS = ":(exclude)benchmarks/results";
    private static final String PAGES = ":(exclude)*.md";

    private final Path home;
    private final Map<String, String> settings;

    public Release(Path home) {
        this(home, Map.of());
    }

    /** A release with keys that override the configuration fragment of each role. */
    public Release(Path home, Map<String, String> settings) {
        this.home = home;
        this.settings = Map.copyOf(settings);
    }

    public Installation nameNode() throws IOException {
        return role("namenode");
    }

    public Installation dataNode() throws IOException {
        return role("datanode");
    }

    public Installation client() throws IOException {
        return role("client");
    }

    private Installation role(String name) throws IOException {
        Installation installation = Installation.of(
                home.resolve("lib/foresight-" + name + ".jar"), home.resolve("conf/foresight-" + name + ".xml"));
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            installation = installation.with(setting.getKey(), setting.getValue());
        }
        return installation;
    }

    /** The jar with the workloads. */
    public Path toolsJar() {
        return home.resolve("lib/foresight-benchmarks.jar");
    }

    /**
     * The commit of the source tree that a release was built in. It ends with {@code -dirty} if a file differs that is neither a recorded result
     * nor a page. Null without a source tree or without git.
     */
    static @Nullable String commit(Path home) throws InterruptedException {
        Path tree = home.toAbsolutePath().normalize().resolve("../../..").normalize();
        if (!Files.exists(tree.resolve(".git")) || !Files.exists(tree.resolve("foresight-core/pom.xml"))) {
            return null;
        }
        try {
            String commit = git(tree, "rev-parse", "HEAD");
            String changed = git(tree, "status", "--porcelain", "-uno", "--", ".", RESULTS, PAGES);
            return commit == null || "".equals(changed) ? commit : commit + "-dirty";
        } catch (IOException e) {
            return null;
        }
    }

    /** The output of a command of git; null if the command fails. */
    private static @Nullable String git(Path tree, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", tree.toString()));
        command.addAll(List.of(arguments));
        Process git = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return git.waitFor() == 0 ? output : null;
    }
}
