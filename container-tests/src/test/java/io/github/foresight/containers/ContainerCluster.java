/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.containers;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.model.Network.Ipam;
import io.github.foresight.containers.HadoopContainer.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Network;
import org.testcontainers.lifecycle.Startables;

/** A stock cluster in containers with its own network: a NameNode, three DataNodes and a client. */
final class ContainerCluster implements AutoCloseable {

    private static final int DATANODES = 3;
    private static final int FIRST_ADDRESS = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String name;
    private final Network network = networkOfFixedAddresses();
    private final HadoopContainer nameNode;
    private final HadoopContainer client;
    private final List<HadoopContainer> dataNodes = new ArrayList<>();

    private ContainerCluster(String name) {
        this.name = name;
        this.nameNode = node(Role.NAMENODE, "namenode", FIRST_ADDRESS);
        this.client = node(Role.CLIENT, "client", FIRST_ADDRESS + 1);
        for (int i = 0; i < DATANODES; i++) {
            dataNodes.add(node(Role.DATANODE, "datanode" + i, FIRST_ADDRESS + 2 + i));
        }
    }

    /**
     * Starts a cluster.
     *
     * @param name the name of the folder under {@code target/clusters} for the containers' logs
     */
    static ContainerCluster start(String name) throws IOException {
        ContainerCluster cluster = new ContainerCluster(name);
        try {
            Startables.deepStart(cluster.nameNode, cluster.client).join();
            Startables.deepStart(cluster.dataNodes).join();
            cluster.awaitReady();
            return cluster;
        } catch (Throwable e) {
            cluster.close();
            throw e;
        }
    }

    HadoopContainer nameNode() {
        return nameNode;
    }

    List<HadoopContainer> dataNodes() {
        return dataNodes;
    }

    HadoopContainer client() {
        return client;
    }

    /** Returns all nodes in the order in which docs/install.md installs them. */
    List<HadoopContainer> nodes() {
        List<HadoopContainer> nodes = new ArrayList<>();
        nodes.add(nameNode);
        nodes.addAll(dataNodes);
        nodes.add(client);
        return nodes;
    }

    /** Restarts all daemons at once. */
    void restart() {
        Stream.concat(Stream.of(nameNode), dataNodes.stream()).parallel().forEach(HadoopContainer::restart);
        awaitReady();
    }

    HdfsShell shell() {
        return new HdfsShell(client);
    }

    /** Returns a Foresight metric, summed over the DataNodes. */
    long dataNodeMetric(String metric) throws IOException {
        long sum = 0;
        for (HadoopContainer dataNode : dataNodes) {
            sum += dataNode.metric(metric);
        }
        return sum;
    }

    /** Waits until the NameNode is out of safe mode and every DataNode has registered since its start. */
    void awaitReady() {
        eventually(() -> {
            assertThat(nameNode.attribute("NameNodeInfo", "Safemode")).isEmpty();
            for (HadoopContainer dataNode : dataNodes) {
                assertThat(dataNode.attribute("DataNodeInfo", "BPServiceActorInfo"))
                        .as("registration of %s", dataNode.name())
                        .contains("RUNNING");
            }
            assertThat(nameNode.attribute("FSNamesystemState", "NumLiveDataNodes"))
                    .isEqualTo(String.valueOf(DATANODES));
        });
    }

    static void eventually(ThrowingRunnable assertion) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(assertion);
    }

    private HadoopContainer node(Role role, String nodeName, int host) {
        String address = subnet(network).replaceFirst("\\d+/\\d+$", String.valueOf(host));
        return new HadoopContainer(role, nodeName, network, address);
    }

    /**
     * Makes a network with fixed addresses. A node keeps its address only in an explicitly requested subnet. Therefore this method requests a subnet
     * that the engine has chosen before.
     */
    private static Network networkOfFixedAddresses() {
        String subnet;
        try (Network chosen = Network.newNetwork()) {
            subnet = subnet(chosen);
        }
        return Network.builder()
                .createNetworkCmdModifier(create -> create.withLabels(ContainerEngine.label())
                        .withIpam(new Ipam().withConfig(new Ipam.Config().withSubnet(subnet))))
                .build();
    }

    private static String subnet(Network network) {
        return DockerClientFactory.instance()
                .client()
                .inspectNetworkCmd()
                .withNetworkId(network.getId())
                .exec()
                .getIpam()
                .getConfig()
                .get(0)
                .getSubnet();
    }

    /** Removes all containers in any state, and keeps their logs. */
    @Override
    public void close() throws IOException {
        try {
            Path folder = Files.createDirectories(
                    Path.of(System.getProperty("foresight.work"), name + "-" + System.nanoTime()));
            for (HadoopContainer node : nodes()) {
                if (node.getContainerId() != null) {
                    Files.writeString(folder.resolve(node.name() + ".log"), node.getLogs());
                }
            }
        } finally {
            nodes().parallelStream().forEach(HadoopContainer::stop);
            network.close();
        }
    }
}
