/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.status;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code foresight status}: its options, and the status in words or as JSON. */
@Command(
        name = "status",
        description =
                "What Foresight does in a running cluster, by the metrics of its daemons' web servers, or in a client's JVM."
                        + " Exit status: 0 Foresight works in all of them, 1 it does not in some, or has failed there, 2 the"
                        + " status is not known.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeOnExecutionException = 2)
public final class StatusCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--conf",
            description =
                    "The folder with hdfs-site.xml and core-site.xml; if not given, what is on the class path of 'hadoop'.")
    private @Nullable Path conf;

    @Option(
            names = "--client",
            paramLabel = "PID",
            description =
                    "Asks a client's JVM on this host, by its process id, in place of the cluster. Needs a JDK, and the same user.")
    private @Nullable Long client;

    @Option(names = "--json", description = "Answer as JSON, with all metrics of Foresight.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        ClusterStatus status = client == null
                ? WebServers.askCluster(conf)
                : ClusterStatus.ofClient(client, ClientJvm.metrics(client));
        spec.commandLine().getOut().print(json ? status.asJson() : status.inWords());
        spec.commandLine().getOut().flush();
        return status.isWell() ? 0 : 1;
    }
}
