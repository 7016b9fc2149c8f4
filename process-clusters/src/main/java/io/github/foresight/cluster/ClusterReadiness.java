/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Waits until a NameNode is out of safe mode and each of its DataNodes has registered. Stateless. */
final class ClusterReadiness {

    /** The time limit for the start of a cluster. */
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final long POLL_MILLIS = 200;

    private ClusterReadiness() {}

    /**
     * Waits until the cluster is ready.
     *
     * @throws IOException if a daemon has ended, or the cluster is not ready in time; with the reason and the end of the daemon's log
     */
    static void await(Daemon nameNode, List<Daemon> dataNodes) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            Obstacle obstacle = obstacle(nameNode, dataNodes);
            if (obstacle == null) {
                return;
            }
            if (!obstacle.daemon.isAlive()) {
                throw new IOException(obstacle.daemon.name() + " has ended:\n" + obstacle.daemon.logTail());
            }
            if (System.nanoTime() - deadline >= 0) {
                throw new IOException("the cluster was not ready in " + TIMEOUT.toSeconds() + " s: " + obstacle.reason
                        + "; the end of " + obstacle.daemon.log() + ":\n" + obstacle.daemon.logTail());
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** The reason why a cluster is not ready, and the daemon at fault. */
    private static final class Obstacle {
        final Daemon daemon;
        final String reason;

        Obstacle(Daemon daemon, String reason) {
            this.daemon = daemon;
            this.reason = reason;
        }
    }

    private static @Nullable Obstacle obstacle(Daemon nameNode, List<Daemon> dataNodes) {
        for (Daemon dataNode : dataNodes) {
            if (!dataNode.isAlive()) {
                return new Obstacle(dataNode, "it has ended");
            }
        }
        Daemon asked = nameNode;
        try {
            JsonNode info = asked.bean("Hadoop:service=NameNode,name=NameNodeInfo");
            if (!info.path("Safemode").asText("?").isEmpty()) {
                return new Obstacle(asked, "the NameNode is in safe mode");
            }
            JsonNode state = asked.bean("Hadoop:service=NameNode,name=FSNamesystemState");
            int live = state.path("NumLiveDataNodes").asInt();
            for (Daemon dataNode : dataNodes) {
                asked = dataNode;
                JsonNode bean = dataNode.bean("Hadoop:service=DataNode,name=DataNodeInfo");
                if (!bean.path("BPServiceActorInfo").asText().contains("RUNNING")) {
                    return new Obstacle(dataNode, dataNode.name() + " has not registered");
                }
            }
            return live < dataNodes.size()
                    ? new Obstacle(nameNode, "the NameNode knows only " + live + " of its DataNodes")
                    : null;
        } catch (IOException e) {
            return new Obstacle(asked, asked.name() + " does not answer yet (" + e.getMessage() + ")");
        }
    }
}
