/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code foresight check}: its options, and its findings in words or as JSON. */
@Command(
        name = "check",
        description =
                "Run on a node before its daemon is restarted: loads what the configuration names, and says what is"
                        + " wrong. Exit status: 0 all is fine, 1 there are warnings, 2 something is wrong.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeOnExecutionException = 2)
public final class CheckCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--role",
            converter = Role.class,
            description = "What runs here: ${COMPLETION-CANDIDATES}; may be repeated. All if not given.",
            completionCandidates = RoleWords.class)
    private @Nullable List<NodeRole> roles;

    @Option(names = "--conf", required = true, description = "The folder with hdfs-site.xml and core-site.xml.")
    @SuppressWarnings("NullAway.Init")
    private Path conf;

    @Option(
            names = "--classpath",
            description = "The daemon's class path; if not given, that of 'hadoop classpath' or HADOOP_CLASSPATH.")
    private @Nullable String classpath;

    @Option(
            names = "--pid",
            description =
                    "The process id of the DataNode on this node. The check uses its memory limits and heap. If not given,"
                            + " the check uses the limits of this shell.")
    private @Nullable Long pid;

    @Option(names = "--json", description = "Answer as JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        Set<NodeRole> checked =
                roles == null || roles.isEmpty() ? EnumSet.allOf(NodeRole.class) : EnumSet.copyOf(roles);
        List<Finding> findings = findings(checked);
        Severity worst = findings.stream()
                .map(Finding::severity)
                .max(Severity::compareTo)
                .orElse(Severity.FINE);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(asJson(findings, worst));
        } else {
            findings.forEach(out::println);
            out.println(summary(findings, worst));
        }
        out.flush();
        return worst.exitStatus();
    }

    private List<Finding> findings(Set<NodeRole> checked) throws IOException {
        String path = classpath != null ? classpath : System.getProperty("foresight.node.classpath", "");
        Path lib = Paths.get(System.getProperty("foresight.home", ".")).resolve("lib");
        if (pid != null && !Files.isDirectory(Paths.get("/proc", pid.toString()))) {
            return ImmutableList.of(Finding.wrong(
                    "--pid", "there is no process " + pid + ".", "use the DataNode's process id, as jps prints it."));
        }
        LockLimit limit = pid == null ? LockLimit.ofThisProcess() : LockLimit.ofProcess(pid);
        NodeConfiguration configuration;
        try {
            configuration = NodeConfiguration.read(conf);
        } catch (IOException e) {
            return ImmutableList.of(Finding.wrong(
                    conf.toString(), String.valueOf(e.getMessage()), "give the folder that the daemon reads."));
        }
        try (NodeClasses classes = NodeClasses.of(path, lib)) {
            return new NodeCheck(configuration, classes, DaemonJava.find(conf), limit).run(checked);
        }
    }

    private static String summary(List<Finding> findings, Severity worst) {
        long wrong = count(findings, Severity.WRONG);
        long warnings = count(findings, Severity.WARNING);
        switch (worst) {
            case WRONG:
                return "Do not restart yet: " + wrong + " wrong, " + warnings + " warnings.";
            case WARNING:
                return "The daemon may be restarted; " + warnings + " warnings.";
            default:
                return "All is fine.";
        }
    }

    private static long count(List<Finding> findings, Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }

    private static String asJson(List<Finding> findings, Severity worst) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode root = mapper.createObjectNode().put("status", word(worst));
        ArrayNode array = root.putArray("findings");
        for (Finding finding : findings) {
            array.addObject()
                    .put("severity", word(finding.severity()))
                    .put("subject", finding.subject())
                    .put("message", finding.message())
                    .put("remedy", finding.remedy());
        }
        return mapper.writeValueAsString(root);
    }

    private static String word(Severity severity) {
        return severity.label().toLowerCase(Locale.ROOT);
    }

    /** All roles, for the command's help. */
    static final class RoleWords implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(NodeRole.values()).map(NodeRole::word).iterator();
        }
    }

    /** Reads the role of a command line. */
    static final class Role implements ITypeConverter<NodeRole> {
        @Override
        public NodeRole convert(String text) {
            for (NodeRole role : NodeRole.values()) {
                if (role.word().equals(text.toLowerCase(Locale.ROOT))) {
                    return role;
                }
            }
            throw new TypeConversionException("'" + text + "'; accepted is one of " + NodeRole.words());
        }
    }
}
