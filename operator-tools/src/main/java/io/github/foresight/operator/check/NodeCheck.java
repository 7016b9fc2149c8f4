/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.github.foresight.protocol.conf.ConfKey;
import io.github.foresight.protocol.conf.InvalidValueException;
import io.github.foresight.protocol.conf.KeyCatalogue;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Checks one node for one or more roles. The constructor receives all facts about the node. Not thread-safe.
 *
 * <p>Java, Hadoop and the keys of Foresight are checked here for all roles, configured classes by {@link ClassCheck}. Each role has a check
 * of its own: {@link ClientCheck}, {@link DataNodeCheck}, {@link NameNodeCheck} and {@link PlacementCheck}. One run shows all faults of a
 * node.
 */
final class NodeCheck {

    static final List<String> TESTED_HADOOP = ImmutableList.of("3.3.6", "3.4.3", "3.5.0");

    private static final int JAVA_LEAST = 8;
    private static final int JAVA_LEAST_HADOOP_3_5 = 17;

    /** The container tests run Hadoop 3.3.6 on Java 8 and 11, and 3.4.3 on 17 too. */
    private static final Set<Integer> TESTED_JAVA = ImmutableSet.of(8, 11, 17);

    /** The container tests run Hadoop 3.5.0 on these. */
    private static final Set<Integer> TESTED_JAVA_HADOOP_3_5 = ImmutableSet.of(17, 21);

    private static final Pattern MAJOR_MINOR = Pattern.compile("(\\d+)\\.(\\d+).*");

    private final NodeConfiguration configuration;
    private final NodeClasses classes;
    private final DaemonJava java;
    private final Findings findings = new Findings();
    private final ClientCheck client;
    private final DataNodeCheck dataNode;
    private final NameNodeCheck nameNode;
    private final PlacementCheck placement;

    NodeCheck(NodeConfiguration configuration, NodeClasses classes, DaemonJava java, LockLimit lockLimit) {
        this.configuration = configuration;
        this.classes = classes;
        this.java = java;
        this.client = new ClientCheck(configuration, findings);
        this.dataNode = new DataNodeCheck(configuration, classes, lockLimit, findings);
        this.nameNode = new NameNodeCheck(configuration, findings);
        this.placement = new PlacementCheck(configuration, findings);
    }

    /** All findings about a node with these roles, in the order of the checks. */
    List<Finding> run(Set<NodeRole> roles) throws IOException {
        String hadoop = classes.hadoopVersion();
        checkJava(hadoop == null ? "" : hadoop);
        checkHadoop(hadoop == null ? "" : hadoop);
        new ClassCheck(configuration, classes, findings).run(roles);
        checkInstalled(roles);
        checkKeys();
        if (roles.stream().anyMatch(PlacementCheck::placesReplicas)) {
            placement.run();
        }
        if (roles.contains(NodeRole.NAMENODE)) {
            nameNode.run();
        }
        if (roles.contains(NodeRole.DATANODE) && isInstalled(NodeRole.DATANODE)) {
            dataNode.run();
        }
        if (roles.contains(NodeRole.CLIENT)) {
            client.run();
        }
        return findings.toList();
    }

    private void checkJava(String hadoop) {
        int feature = java.feature();
        String found = "Java " + feature + " at " + java.source();
        boolean needs17 = series(hadoop) >= 305;
        Set<Integer> tested = needs17 ? TESTED_JAVA_HADOOP_3_5 : TESTED_JAVA;
        if (feature < JAVA_LEAST) {
            findings.wrong(
                    "java", found + "; Foresight needs " + JAVA_LEAST + " or later.", "run the daemon on a later JDK.");
        } else if (needs17 && feature < JAVA_LEAST_HADOOP_3_5) {
            findings.wrong(
                    "java",
                    found + "; Hadoop " + hadoop + " needs " + JAVA_LEAST_HADOOP_3_5 + " or later.",
                    "run the daemon on JDK " + JAVA_LEAST_HADOOP_3_5 + ".");
        } else if (!tested.contains(feature)) {
            findings.warning(
                    "java",
                    found + "; with Hadoop " + hadoop + " Foresight is tested on "
                            + Joiner.on(", ").join(tested) + ".",
                    "try it on one node first, or run the daemon on one of these.");
        } else {
            findings.fine("java", found + ".");
        }
    }

    private void checkHadoop(String version) {
        int series = series(version);
        String tested = String.join(", ", TESTED_HADOOP);
        if (version.isEmpty()) {
            findings.wrong(
                    "hadoop",
                    classes.classpath().isEmpty()
                            ? "the class path is empty, or nothing that it names is there."
                            : "there is no hadoop-common on the class path.",
                    "put the 'hadoop' command on PATH, or give --classpath \"$(hadoop classpath)\".");
        } else if (TESTED_HADOOP.contains(version)) {
            findings.fine("hadoop", "Hadoop " + version + ".");
        } else if (series < 303) {
            findings.wrong(
                    "hadoop", "Hadoop " + version + " is too old; tested are " + tested + ".", "upgrade Hadoop first.");
        } else {
            findings.warning(
                    "hadoop",
                    "Hadoop " + version + " is not among the versions tested: " + tested + ".",
                    "try it on one node first.");
        }
    }

    /** 303 for 3.3.6; 0 for a text that is no version. */
    private static int series(String version) {
        Matcher matcher = MAJOR_MINOR.matcher(version);
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) * 100 + Integer.parseInt(matcher.group(2)) : 0;
    }

    /** A node that is checked for all roles need not have Foresight in each. */
    private void checkInstalled(Set<NodeRole> roles) {
        List<NodeRole> without =
                roles.stream().filter(role -> !isInstalled(role)).collect(Collectors.toList());
        boolean nowhere = roles.stream().noneMatch(this::isInstalled);
        for (NodeRole role : without) {
            String message = role.classKeys().isEmpty()
                    ? "the " + role.title() + " loads no class that these files name."
                    : "nothing here names Foresight: the " + role.title() + " runs as stock HDFS.";
            if (nowhere && role.hasArtifact()) {
                findings.warning(
                        role.title(),
                        message,
                        "add the properties of conf/" + role.artifact() + ".xml to hdfs-site.xml.");
            } else {
                findings.fine(role.title(), message);
            }
        }
    }

    private boolean isInstalled(NodeRole role) {
        switch (role) {
            case NAMENODE:
                return nameNode.isInstalled();
            case DATANODE:
                return dataNode.isInstalled();
            case PLACEMENT:
                return placement.isInstalled();
            case CLIENT:
                return client.isInstalled();
            default:
                return namesForesight(role);
        }
    }

    private boolean namesForesight(NodeRole role) {
        for (String key : configuration.names()) {
            if (role.classKeys().stream().anyMatch(classKey -> classKey.matches(key))
                    && configuration.list(key).stream().anyMatch(ClassCheck::isForesights)) {
                return true;
            }
        }
        return false;
    }

    private void checkKeys() {
        Set<String> known = new TreeSet<>(KeyCatalogue.byName().keySet());
        for (String name : configuration.names()) {
            if (!name.startsWith(KeyCatalogue.PREFIX)) {
                continue;
            }
            ConfKey<?> key = KeyCatalogue.find(name);
            String value = String.valueOf(configuration.get(name));
            if (key == null) {
                String meant = NearestName.of(name, known)
                        .map(near -> "did you mean " + near + "? ")
                        .orElse("");
                findings.warning(
                        name, "there is no such key; it has no effect.", meant + "All keys: docs/configuration.md.");
                continue;
            }
            try {
                key.parse(value);
                findings.fine(name, value);
            } catch (InvalidValueException e) {
                findings.wrong(
                        name,
                        "'" + value + "' is not accepted, and Foresight stays off.",
                        "give " + key.accepted() + "; the default is '" + key.defaultText() + "'.");
            }
        }
    }
}
