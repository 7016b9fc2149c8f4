/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Java that the daemon will run on; immutable. */
final class DaemonJava {

    private static final Pattern JAVA_HOME =
            Pattern.compile("^\\s*(?:export\\s+)?JAVA_HOME=[\"']?([^\"'$#\\s]+)[\"']?\\s*(?:#.*)?$");
    private static final Pattern VERSION = Pattern.compile("^JAVA_VERSION=\"(?:1\\.)?(\\d+)[^\"]*\"$");

    private final int feature;
    private final String source;

    DaemonJava(int feature, String source) {
        this.feature = feature;
        this.source = source;
    }

    /**
     * The Java of the last {@code JAVA_HOME} in the folder's {@code hadoop-env.sh}. If that is unknown, the Java that runs this
     * check.
     */
    static DaemonJava find(Path conf) throws IOException {
        Path env = conf.resolve("hadoop-env.sh");
        String home = Files.isReadable(env) ? lastGroup(Files.readAllLines(env), JAVA_HOME) : "";
        Path release = Paths.get(home.isEmpty() ? "/" : home).resolve("release");
        if (!home.isEmpty() && Files.isReadable(release)) {
            String version = lastGroup(Files.readAllLines(release), VERSION);
            if (!version.isEmpty()) {
                return new DaemonJava(Integer.parseInt(version), home + ", as " + env + " says");
            }
        }
        return new DaemonJava(running(), System.getProperty("java.home") + ", which runs this check");
    }

    /** The Java that runs this: 8, 11, 17, ... */
    static int running() {
        return Integer.parseInt(System.getProperty("java.specification.version").replaceFirst("^1\\.", ""));
    }

    /** 8, 11, 17, ... */
    int feature() {
        return feature;
    }

    /** Where it is, and how that is known. */
    String source() {
        return source;
    }

    private static String lastGroup(List<String> lines, Pattern pattern) {
        String last = "";
        for (String line : lines) {
            Matcher matcher = pattern.matcher(line);
            if (matcher.matches()) {
                last = matcher.group(1);
            }
        }
        return last;
    }
}
