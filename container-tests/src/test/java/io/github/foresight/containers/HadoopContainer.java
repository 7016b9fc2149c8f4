/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.containers;

import static io.github.foresight.containers.HadoopImage.CONF;
import static io.github.foresight.containers.HadoopImage.LIB;
import static io.github.foresight.containers.HadoopImage.RELEASE;

import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.Ports;
import io.github.foresight.cluster.JmxPage;
import java.io.IOException;
import java.util.Locale;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;

/** A node of the cluster: stock Hadoop in a container, with the actions of an operator. The node keeps its address and its disk. */
final class HadoopContainer extends GenericContainer<HadoopContainer> {

    static final String JAVA = "java -Xmx192m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 ";

    private static final int GRACE_SECONDS = 20;

    private final Role role;
    private final String name;
    private final Network network;
    private final String address;

    /** The role of a node in the cluster. */
    enum Role {
        NAMENODE(
                "NameNode",
                9870,
                "[ -d /data/name/current ] || " + JAVA + "$main -format -nonInteractive && exec " + JAVA + "$main",
                "org.apache.hadoop.hdfs.server.namenode.NameNode"),
        DATANODE("DataNode", 9864, "exec " + JAVA + "$main", "org.apache.hadoop.hdfs.server.datanode.DataNode"),
        CLIENT("Client", 0, "exec sleep infinity", "");

        private final String service;
        private final int httpPort;
        private final String command;

        Role(String service, int httpPort, String command, String mainClass) {
            this.service = service;
            this.httpPort = httpPort;
            this.command = command.replace("$main", mainClass);
        }

        /** Returns the role's name in Foresight's jar, in its fragment and in {@code check --role}. */
        String word() {
            return service.toLowerCase(Locale.ROOT);
        }
    }

    HadoopContainer(Role role, String name, Network network, String address) {
        super(HadoopImage.upon(role == Role.CLIENT ? ContainerEngine.clientImage() : ContainerEngine.daemonImage()));
        this.role = role;
        this.name = name;
        this.network = network;
        this.address = address;
        withNetwork(network);
        withNetworkAliases(name);
        withLabels(ContainerEngine.label());
        withCommand("bash", "-c", role.command);
        withCreateContainerCmdModifier(create -> {
            create.withHostName(name).withIpv4Address(address);
            // The capability replaces a limit for memlock, which some engines may not raise.
            create.getHostConfig().withCapAdd(Capability.IPC_LOCK);
        });
        if (role.httpPort > 0) {
            withExposedPorts(role.httpPort);
            waitingFor(Wait.forHttp("/jmx?qry=none").forPort(role.httpPort));
        }
    }

    String name() {
        return name;
    }

    String address() {
        return address;
    }

    /** Installs this role as docs/install.md says, and runs the check; does not restart. Returns the check's output. */
    String install() throws IOException, InterruptedException {
        run(RELEASE + "/bin/foresight enable --role " + role.word() + " --conf " + CONF + " --lib " + LIB);
        run("sed -i -e 's/>256m</>16m</' " + CONF + "/hdfs-site.xml");
        return run(RELEASE + "/bin/foresight check --role " + role.word() + " --conf " + CONF);
    }

    /** Removes Foresight; does not restart. */
    void uninstall() throws IOException, InterruptedException {
        run(RELEASE + "/bin/foresight disable --role " + role.word() + " --conf " + CONF);
        run("rm " + LIB + "/foresight-" + role.word() + ".jar");
    }

    /** Runs a bash command line to its end and returns its output. */
    String run(String commandLine) throws IOException, InterruptedException {
        return execute(commandLine).getStdout();
    }

    /**
     * Runs a bash command line to its end.
     *
     * @throws IOException with the output, if the command fails
     */
    ExecResult execute(String commandLine) throws IOException, InterruptedException {
        ExecResult result = execInContainer("bash", "-o", "pipefail", "-c", commandLine);
        if (result.getExitCode() != 0) {
            throw new IOException("on " + name + ", '" + commandLine + "' ended with " + result.getExitCode() + ":\n"
                    + result.getStdout() + result.getStderr());
        }
        return result;
    }

    /** Stops the container by SIGTERM and starts it again. */
    void restart() {
        dockerClient
                .restartContainerCmd(getContainerId())
                .withTimeout(GRACE_SECONDS)
                .exec();
    }

    /** Stops the container by SIGKILL: the daemon cannot clean up. */
    void kill() {
        dockerClient.killContainerCmd(getContainerId()).exec();
    }

    void startAgain() {
        dockerClient.startContainerCmd(getContainerId()).exec();
    }

    /** Cuts the node off from the network: connections stay open, and no packet arrives. */
    void disconnect() {
        dockerClient
                .disconnectFromNetworkCmd()
                .withNetworkId(network.getId())
                .withContainerId(getContainerId())
                .exec();
    }

    void reconnect() {
        dockerClient
                .connectToNetworkCmd()
                .withNetworkId(network.getId())
                .withContainerId(getContainerId())
                .withContainerNetwork(new ContainerNetwork()
                        .withAliases(name)
                        .withIpamConfig(new ContainerNetwork.Ipam().withIpv4Address(address)))
                .exec();
    }

    /** Returns a Foresight metric. */
    long metric(String metric) throws IOException {
        return Long.parseLong(attribute("Foresight", metric));
    }

    boolean runsForesight() throws IOException {
        return !jmx().bean(objectName("Foresight")).isMissingNode();
    }

    /**
     * Returns an attribute of a bean of the daemon, as the daemon's {@code /jmx} shows it.
     *
     * @throws IOException also if the attribute does not exist, or does not exist yet
     */
    String attribute(String bean, String attribute) throws IOException {
        var value = jmx().bean(objectName(bean)).path(attribute);
        if (value.isMissingNode()) {
            throw new IOException(name + " shows no " + attribute + " of " + objectName(bean));
        }
        return value.asText();
    }

    private String objectName(String bean) {
        return "Hadoop:service=" + role.service + ",name=" + bean;
    }

    private JmxPage jmx() throws IOException {
        // The port on the host changes at each start.
        Ports.Binding[] bindings = getCurrentContainerInfo()
                .getNetworkSettings()
                .getPorts()
                .getBindings()
                .get(ExposedPort.tcp(role.httpPort));
        if (bindings == null) {
            throw new IOException(name + " is not reachable: it is down or cut off");
        }
        return new JmxPage(getHost(), Integer.parseInt(bindings[0].getHostPortSpec()));
    }
}
