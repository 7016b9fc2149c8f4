/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import com.google.common.collect.ImmutableList;
import io.github.foresight.protocol.conf.PlacementKeys;
import java.util.List;

/** Checks for settings that conflict with Foresight's placement policy. Not thread-safe. */
final class PlacementCheck {

    private static final String POLICY_KEY = "dfs.block.replicator.classname";
    private static final String FORESIGHT_POLICY = "io.github.foresight.placement.OrthogonalPlacementPolicy";
    private static final String EC_POLICY_KEY = "dfs.block.placement.ec.classname";
    private static final String HDFS_POLICIES = "org.apache.hadoop.hdfs.server.blockmanagement.";
    private static final String UPGRADE_DOMAINS = HDFS_POLICIES + "BlockPlacementPolicyWithUpgradeDomain";
    private static final String DOMAIN_FACTOR = "dfs.namenode.upgrade.domain.factor";
    private static final String HOSTS_KEY = "dfs.namenode.hosts.provider.classname";
    private static final String HOSTS_WITH_DOMAINS = HDFS_POLICIES + "CombinedHostFileManager";
    private static final String NODE_GROUPS = "org.apache.hadoop.net.NetworkTopologyWithNodeGroup";

    /** As the policy has them. */
    private static final List<String> BASES = ImmutableList.of(
            HDFS_POLICIES + "BlockPlacementPolicyDefault",
            UPGRADE_DOMAINS,
            HDFS_POLICIES + "BlockPlacementPolicyRackFaultTolerant",
            HDFS_POLICIES + "AvailableSpaceBlockPlacementPolicy",
            HDFS_POLICIES + "AvailableSpaceRackFaultTolerantBlockPlacementPolicy");

    private final NodeConfiguration configuration;
    private final Findings findings;

    PlacementCheck(NodeConfiguration configuration, Findings findings) {
        this.configuration = configuration;
        this.findings = findings;
    }

    /** Whether the configuration names the policy of Foresight. */
    boolean isInstalled() {
        return configuration.uses(POLICY_KEY, FORESIGHT_POLICY);
    }

    static boolean placesReplicas(NodeRole role) {
        return role.classKeys().stream().anyMatch(classKey -> classKey.matches(POLICY_KEY));
    }

    /** Settings that conflict with Foresight's placement policy. */
    void run() {
        if (configuration.uses(EC_POLICY_KEY, FORESIGHT_POLICY)) {
            findings.wrong(
                    EC_POLICY_KEY,
                    FORESIGHT_POLICY + " places replicas, and leaves erasure-coded blocks to HDFS's own policy.",
                    "remove the key, or give " + HDFS_POLICIES + "BlockPlacementPolicyRackFaultTolerant, its default.");
        }
        if (!configuration.uses(POLICY_KEY, FORESIGHT_POLICY)) {
            return;
        }
        String key = PlacementKeys.BASE_CLASSNAME.name();
        String configured = configuration.get(key);
        String base = configured == null || configured.trim().isEmpty()
                ? HDFS_POLICIES + "BlockPlacementPolicyDefault"
                : configured.trim();
        if (base.equals(FORESIGHT_POLICY)) {
            findings.wrong(key, base + " cannot be its own base: the NameNode will not start.", giveBase());
        } else if (!BASES.contains(base)) {
            findings.wrong(
                    key,
                    base
                            + " is no policy that Foresight works on: it does all by itself, and no file has a replica node.",
                    giveBase());
        }
        for (String topology : ImmutableList.of("net.topology.impl", "dfs.net.topology.impl")) {
            if (configuration.uses(topology, NODE_GROUPS)) {
                findings.wrong(
                        topology,
                        "Foresight places nothing on " + NODE_GROUPS + ": HDFS's own policy does all.",
                        "leave Foresight's policy out (" + POLICY_KEY + ") on a cluster with node groups.");
            }
        }
        if (!base.equals(UPGRADE_DOMAINS)) {
            String lost = "the base policy is " + base + ", which does not know upgrade domains";
            String remedy = "give " + key + "=" + UPGRADE_DOMAINS + " if DataNodes have upgrade domains.";
            if (configuration.get(DOMAIN_FACTOR) != null) {
                findings.wrong(DOMAIN_FACTOR, lost + ": replicas may share one.", remedy);
            } else if (configuration.uses(HOSTS_KEY, HOSTS_WITH_DOMAINS)) {
                findings.warning(HOSTS_KEY, "its file can give DataNodes upgrade domains, but " + lost + ".", remedy);
            }
        }
    }

    private static String giveBase() {
        return "give one of " + String.join(", ", BASES) + ".";
    }
}
