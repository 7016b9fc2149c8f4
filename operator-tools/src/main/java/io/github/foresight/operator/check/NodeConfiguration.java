/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import com.google.common.collect.ImmutableList;
import io.github.foresight.protocol.conf.HadoopXml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings in the files of a configuration folder, with variables replaced as Hadoop does; HDFS's defaults are not in it. Immutable.
 */
final class NodeConfiguration {

    private static final List<String> FILES = ImmutableList.of("core-site.xml", "hdfs-site.xml");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}$\\s]+)}");
    /** Hadoop's own bound on replacements. */
    private static final int REPLACEMENTS_MAX = 20;

    private final Map<String, String> properties;
    private final UnaryOperator<@Nullable String> environment;

    NodeConfiguration(Map<String, String> properties, UnaryOperator<@Nullable String> environment) {
        this.properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        this.environment = environment;
    }

    /**
     * Reads a folder.
     *
     * @throws IOException in words for an operator, if a file is there and cannot be read, or {@code hdfs-site.xml} is not there
     */
    static NodeConfiguration read(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException(folder + " is not a directory");
        }
        Map<String, String> properties = new LinkedHashMap<>();
        for (String name : FILES) {
            Path file = folder.resolve(name);
            if (Files.exists(file)) {
                if (!Files.isReadable(file)) {
                    throw new IOException(file + " cannot be read by " + System.getProperty("user.name"));
                }
                properties.putAll(HadoopXml.read(file));
            } else if (name.equals("hdfs-site.xml")) {
                throw new IOException("there is no hdfs-site.xml in " + folder);
            }
        }
        return new NodeConfiguration(properties, System::getenv);
    }

    /** All keys that are set. */
    Iterable<String> names() {
        return properties.keySet();
    }

    /** The value of a key, or null where it is not set; a variable that is not known stays as it is. */
    @Nullable
    String get(String name) {
        String value = properties.get(name);
        for (int i = 0; value != null && i < REPLACEMENTS_MAX; i++) {
            Matcher variable = VARIABLE.matcher(value);
            String replacement = null;
            while (replacement == null && variable.find()) {
                replacement = variable(variable.group(1));
            }
            if (replacement == null) {
                return value.trim();
            }
            value = value.substring(0, variable.start()) + replacement + value.substring(variable.end());
        }
        return value == null ? null : value.trim();
    }

    private @Nullable String variable(String name) {
        if (name.startsWith("env.")) {
            String variable = name.substring("env.".length());
            int separator = variable.indexOf('-');
            String value = environment.apply(separator < 0 ? variable : variable.substring(0, separator));
            boolean empty = value == null || value.isEmpty();
            return empty && separator >= 0 ? variable.substring(separator).replaceFirst("^:?-", "") : value;
        }
        String system = System.getProperty(name);
        return system != null ? system : properties.get(name);
    }

    /** Whether a key's list contains a class name. */
    boolean uses(String key, String className) {
        return list(key).contains(className);
    }

    /** The parts of a comma-separated value; empty if the key is not set. */
    List<String> list(String key) {
        String value = get(key);
        return value == null
                ? ImmutableList.of()
                : Arrays.stream(value.split(",", -1))
                        .map(String::trim)
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.toList());
    }
}
