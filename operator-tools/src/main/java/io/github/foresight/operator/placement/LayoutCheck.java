/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.CharMatcher;
import java.io.IOException;
import java.io.PrintWriter;

/** Counts files in the orthogonal layout, and lists some other files. */
final class LayoutCheck {

    private final ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private final ArrayNode others = mapper.createArrayNode();
    private final int listed;

    /** A check that lists at most a number of files. */
    LayoutCheck(int listed) {
        this.listed = listed;
    }

    /** Checks all files and prints the answer; returns whether all files are in the orthogonal layout. */
    boolean run(ClusterOption option, PrintWriter out, AnswerForm form) throws IOException, InterruptedException {
        try (Cluster cluster = Cluster.open(option)) {
            LayoutTotals totals = cluster.scan(this::add);
            if (form == AnswerForm.JSON) {
                ObjectNode root = mapper.createObjectNode().put("path", cluster.path());
                totals.write(root);
                root.set("notOrthogonal", others);
                out.println(mapper.writeValueAsString(root));
            } else {
                others.forEach(file -> out.printf(
                        "  %s: %d of %d blocks are not on %s%n",
                        file.path("path").asText(),
                        file.path("missing").asInt(),
                        file.path("blocks").asInt(),
                        file.path("replicaNode").asText()));
                out.println(CharMatcher.whitespace().trimTrailingFrom(totals.words()));
            }
            out.flush();
            return totals.allOrthogonal();
        }
    }

    private void add(String path, FilePlan plan) {
        if (plan.kind() == FilePlan.Kind.CONSIDERED && !plan.isOrthogonal() && others.size() < listed) {
            others.addObject()
                    .put("path", path)
                    .put("blocks", plan.blocks())
                    .put("missing", plan.missing())
                    .put("replicaNode", plan.replicaNode());
        }
    }
}
