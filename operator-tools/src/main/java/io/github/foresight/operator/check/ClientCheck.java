/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Checks the settings of an HDFS client. Its messages name the consequence and the remedy. Not thread-safe. */
final class ClientCheck {

    private static final String FILE_SYSTEM = "fs.hdfs.impl";
    private static final String FORESIGHT_FILE_SYSTEM = "io.github.foresight.client.ForesightFileSystem";
    private static final String PROVIDER = "dfs.client.failover.proxy.provider.";
    private static final String OBSERVERS = "dfs.client.replica.accessor.builder.classes";
    private static final String FORESIGHT_PROVIDER = "io.github.foresight.client.ForesightProxyProvider";
    private static final String FORESIGHT_OBSERVER = "io.github.foresight.client.ReadObserver";

    private static final String REMEDY =
            "name both, or name " + FORESIGHT_FILE_SYSTEM + " in " + FILE_SYSTEM + " instead of both.";

    private final NodeConfiguration configuration;
    private final Findings findings;

    ClientCheck(NodeConfiguration configuration, Findings findings) {
        this.configuration = configuration;
        this.findings = findings;
    }

    /** Whether the configuration names a class of Foresight for clients. */
    boolean isInstalled() {
        return configuration.uses(FILE_SYSTEM, FORESIGHT_FILE_SYSTEM)
                || configuration.uses(OBSERVERS, FORESIGHT_OBSERVER)
                || !foresightProviders().isEmpty();
    }

    void run() {
        List<String> providers = foresightProviders();
        boolean observes = configuration.uses(OBSERVERS, FORESIGHT_OBSERVER);
        boolean fileSystem = configuration.uses(FILE_SYSTEM, FORESIGHT_FILE_SYSTEM);
        if (observes && providers.isEmpty() && !fileSystem) {
            findings.warning(
                    OBSERVERS,
                    FORESIGHT_OBSERVER + " is named but no " + PROVIDER + "* names " + FORESIGHT_PROVIDER
                            + ": no hints are sent.",
                    REMEDY);
        }
        for (String provider : providers) {
            if (!observes && !fileSystem) {
                findings.warning(
                        provider,
                        FORESIGHT_PROVIDER + " is named but " + OBSERVERS + " does not name " + FORESIGHT_OBSERVER
                                + ": the client does not see what is read.",
                        REMEDY);
            }
            checkCluster(provider);
        }
    }

    /** A provider key ends in the name of its cluster. */
    private void checkCluster(String provider) {
        String cluster = provider.substring(PROVIDER.length());
        Set<String> clusters = new TreeSet<>(configuration.list("dfs.nameservices"));
        String defaultFs = configuration.get("fs.defaultFS");
        try {
            String host = defaultFs == null ? null : URI.create(defaultFs).getHost();
            if (host != null) {
                clusters.add(host);
            }
        } catch (IllegalArgumentException e) {
            findings.wrong("fs.defaultFS", "'" + defaultFs + "' is no URI.", "give one like hdfs://mycluster.");
        }
        if (!clusters.contains(cluster)) {
            findings.warning(
                    provider,
                    "no cluster here is called '" + cluster + "'; known are "
                            + (clusters.isEmpty() ? "none" : String.join(", ", clusters)) + ".",
                    "end the key in the nameservice, or in the host as it stands in fs.defaultFS.");
        }
    }

    private List<String> foresightProviders() {
        List<String> keys = new ArrayList<>();
        for (String name : configuration.names()) {
            if (name.startsWith(PROVIDER) && configuration.uses(name, FORESIGHT_PROVIDER)) {
                keys.add(name);
            }
        }
        return keys;
    }
}
