/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.admin;

import io.github.foresight.namenode.change.Invalidations;
import io.github.foresight.namenode.guard.Feature;
import io.github.foresight.namenode.guard.Features;
import io.github.foresight.namenode.learn.AccessLearner;
import io.github.foresight.namenode.settings.NameNodeSettings;
import io.github.foresight.protocol.conf.ConfKey;
import io.github.foresight.protocol.conf.KeyCatalogue;
import io.github.foresight.protocol.conf.Role;
import java.io.IOException;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader;
import org.apache.hadoop.ipc.RefreshHandler;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands of {@code hdfs dfsadmin -refresh <host:port> foresight ...} to a running NameNode. HDFS does not check the caller,
 * so each command checks that the caller is a superuser. Thread-safe.
 */
public final class AdminCommands implements RefreshHandler {

    public static final String IDENTIFIER = "foresight";

    private static final Logger LOG = LoggerFactory.getLogger(AdminCommands.class);
    private static final Pattern LINE_BREAKS = Pattern.compile("\\p{Cntrl}");
    private static final int OK = 0;
    private static final int FAILED = 1;
    private static final String USAGE =
            "accepted is: status | enable FEATURE | disable FEATURE | clear | set KEY VALUE;"
                    + " features are "
                    + Arrays.stream(Feature.values()).map(Feature::label).collect(Collectors.joining(", "));

    private final NamespaceReader namespace;
    private final NameNodeSettings settings;
    private final Features features;
    private final AccessLearner learner;
    private final Invalidations invalidations;

    public AdminCommands(
            NamespaceReader namespace,
            NameNodeSettings settings,
            Features features,
            AccessLearner learner,
            Invalidations invalidations) {
        this.namespace = namespace;
        this.settings = settings;
        this.features = features;
        this.learner = learner;
        this.invalidations = invalidations;
    }

    @Override
    public RefreshResponse handleRefresh(String identifier, String[] args) {
        try {
            if (!namespace.isCallerSuperuser()) {
                LOG.warn("{} is refused: no superuser", request(args));
                return new RefreshResponse(FAILED, "Foresight's commands are for superusers");
            }
            String answer = answer(args);
            LOG.info("{} is done", request(args));
            return new RefreshResponse(OK, answer);
        } catch (IOException | IllegalArgumentException e) {
            return new RefreshResponse(FAILED, e.getMessage());
        }
    }

    private static String request(String[] args) throws IOException {
        UserGroupInformation remote = Server.getRemoteUser();
        return request(
                (remote == null ? UserGroupInformation.getCurrentUser() : remote).getUserName(),
                Server.getRemoteAddress(),
                args);
    }

    /** The log line of a command. Control characters become blanks, so that a command cannot forge a second line. */
    static String request(String user, @Nullable String address, String... args) {
        String text = "The command 'foresight " + String.join(" ", args) + "' of " + user + " from "
                + (address == null ? "this host" : address);
        return LINE_BREAKS.matcher(text).replaceAll(" ");
    }

    private String answer(String[] args) {
        String command = args.length == 0 ? "status" : args[0];
        switch (command + '/' + Math.max(0, args.length - 1)) {
            case "status/0":
                return status();
            case "clear/0":
                learner.clear();
                return "everything learned is forgotten";
            case "enable/1":
                features.enable(feature(args[1]));
                return args[1] + " is on";
            case "disable/1":
                features.disable(feature(args[1]));
                return args[1] + " is off";
            case "set/2":
                return set(args[1], args[2]);
            default:
                throw new IllegalArgumentException("'" + String.join(" ", args) + "' is no command; " + USAGE);
        }
    }

    private static Feature feature(String label) {
        Feature feature = Feature.of(label);
        if (feature == null) {
            throw new IllegalArgumentException("FEATURE is '" + label + "'; " + USAGE);
        }
        return feature;
    }

    private String set(String name, String text) {
        ConfKey<?> key = KeyCatalogue.find(name);
        if (key == null || !NameNodeSettings.isChangeable(key)) {
            throw new IllegalArgumentException("KEY is '" + name + "'; while the NameNode runs may be set: "
                    + NameNodeSettings.changeable().stream()
                            .map(ConfKey::name)
                            .sorted()
                            .collect(Collectors.joining(", ")));
        }
        settings.change(key, text);
        return name + " is " + text + " until the NameNode is restarted";
    }

    private String status() {
        StringBuilder status = new StringBuilder("Foresight");
        for (Feature feature : Feature.values()) {
            String state =
                    features.isOn(feature) ? "on" : features.isResting(feature) ? "resting from failures" : "off";
            status.append('\n').append(feature.label()).append(": ").append(state);
        }
        status.append("\nfiles known: ").append(learner.files().vertices());
        status.append(" of at most ").append(learner.files().capacity());
        status.append("\npairs known: ").append(learner.pairs().vertices());
        status.append(" of at most ").append(learner.pairs().capacity());
        status.append("\nmemory outside the heap: ").append(bytes()).append(" bytes");
        status.append("\nclients: ").append(learner.sessionCount());
        status.append("\ntracked layouts of clients: ").append(invalidations.grantCount());
        for (ConfKey<?> key : KeyCatalogue.of(Role.NAMENODE)) {
            status.append('\n').append(key.name()).append(" = ").append(settings.get(key));
        }
        return status.toString();
    }

    private long bytes() {
        return learner.files().capacityBytes() + learner.pairs().capacityBytes();
    }
}
