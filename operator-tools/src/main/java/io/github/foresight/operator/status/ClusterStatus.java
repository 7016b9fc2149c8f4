/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.util.List;

/** The status of Foresight in the processes that were asked. Immutable. */
final class ClusterStatus {

    /** The metric that is 1 while Foresight works in a NameNode, and in a DataNode. */
    private static final String NAMENODE_SWITCH = "Running";

    private static final String DATANODE_SWITCH = "Enabled";

    private final List<DaemonAnswer> nameNodes;
    private final List<DaemonAnswer> dataNodes;
    private final List<DaemonAnswer> clients;

    private ClusterStatus(List<DaemonAnswer> nameNodes, List<DaemonAnswer> dataNodes, List<DaemonAnswer> clients) {
        this.nameNodes = ImmutableList.copyOf(nameNodes);
        this.dataNodes = ImmutableList.copyOf(dataNodes);
        this.clients = ImmutableList.copyOf(clients);
    }

    static ClusterStatus ofDaemons(List<DaemonAnswer> nameNodes, List<DaemonAnswer> dataNodes) {
        return new ClusterStatus(nameNodes, dataNodes, ImmutableList.of());
    }

    static ClusterStatus ofClient(long pid, JsonNode metrics) {
        DaemonAnswer client = DaemonAnswer.answered("process " + pid, "", metrics, null);
        return new ClusterStatus(ImmutableList.of(), ImmutableList.of(), ImmutableList.of(client));
    }

    /** Whether Foresight works in all of them, and has failed in none. */
    boolean isWell() {
        return nameNodes.stream().allMatch(daemon -> daemon.isWell(NAMENODE_SWITCH))
                && dataNodes.stream().allMatch(daemon -> daemon.isWell(DATANODE_SWITCH))
                && clients.stream().allMatch(client -> client.failures() == 0);
    }

    /** In words, by lines. */
    String inWords() {
        StringBuilder text = new StringBuilder();
        for (DaemonAnswer nameNode : nameNodes) {
            text.append("NameNode ").append(headed(nameNode, NAMENODE_SWITCH)).append('\n');
            if (nameNode.foresight() != null) {
                Figures.ofNameNode(nameNode).forEach(line -> text.append(line).append('\n'));
            }
        }
        if (!dataNodes.isEmpty()) {
            text.append(Figures.ofDataNodes(dataNodes.stream()
                            .filter(node -> node.foresight() != null)
                            .collect(ImmutableList.toImmutableList())))
                    .append('\n');
        }
        for (DaemonAnswer dataNode : dataNodes) {
            text.append("  ").append(headed(dataNode, DATANODE_SWITCH));
            if (dataNode.foresight() != null) {
                text.append("; ").append(Figures.ofDataNode(dataNode));
            }
            text.append('\n');
        }
        for (DaemonAnswer client : clients) {
            text.append("Client, ").append(client.name()).append('\n');
            Figures.ofClient(client).forEach(line -> text.append(line).append('\n'));
        }
        return text.toString();
    }

    private static String headed(DaemonAnswer daemon, String switchMetric) {
        String named = daemon.name() + (daemon.state().isEmpty() ? "" : " (" + daemon.state() + ")") + ": ";
        if (!daemon.problem().isEmpty()) {
            return named + "does not answer, " + daemon.problem();
        }
        if (daemon.foresight() == null) {
            return named + "without Foresight";
        }
        String works = daemon.count(switchMetric) == 1 ? "works" : "is off";
        return named + works + (daemon.failures() == 0 ? "" : ", " + Figures.grouped(daemon.failures()) + " failures");
    }

    /** As JSON, with all metrics. */
    String asJson() throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode root = mapper.createObjectNode().put("well", isWell());
        add(root.putArray("nameNodes"), nameNodes);
        add(root.putArray("dataNodes"), dataNodes);
        add(root.putArray("clients"), clients);
        return mapper.writeValueAsString(root) + '\n';
    }

    private static void add(ArrayNode array, List<DaemonAnswer> daemons) {
        for (DaemonAnswer daemon : daemons) {
            ObjectNode node = array.addObject()
                    .put("name", daemon.name())
                    .put("state", daemon.state())
                    .put("problem", daemon.problem());
            node.set("foresight", daemon.foresight());
            node.set("placement", daemon.placement());
        }
    }
}
