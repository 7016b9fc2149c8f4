/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.run;

import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** An unpacked release: for each role the jar and the configuration fragment that an operator installs. Immutable. */
public final class Release {

    private static final String PROVIDER_KEY = "dfs.client.failover.proxy.provider.";

    private final Path home;
    private final Map<String, String> settings;

    public Release(Path home) {
        this(home, Map.of());
    }

    /** A release of which some keys are set in each role, whatever the fragments say. */
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

    /** The client's, with its fragment's name of a nameservice replaced by the host of a {@link ProcessCluster}. */
    public Installation client() throws IOException {
        return role("client").renaming(PROVIDER_KEY + "mycluster", PROVIDER_KEY + ProcessCluster.host());
    }

    private Installation role(String name) throws IOException {
        Installation installation = Installation.of(
                home.resolve("lib/foresight-" + name + ".jar"), home.resolve("conf/foresight-" + name + ".xml"));
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            installation = installation.with(setting.getKey(), setting.getValue());
        }
        return installation;
    }

    /** Where the workloads are. */
    public Path toolsJar() {
        return home.resolve("lib/foresight-benchmarks.jar");
    }
}
