/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Placement policies with their base policies, and the findings about them. */
final class PlacementCheckTest extends CheckedNode {

    private static final String HDFS_POLICIES = "org.apache.hadoop.hdfs.server.blockmanagement.";

    @ParameterizedTest
    @EnumSource(
            value = NodeRole.class,
            names = {"NAMENODE", "BALANCER", "MOVER", "SECONDARYNAMENODE"})
    void run_daemonThatChecksPlacementWithoutThePolicy_isWrong(NodeRole role) throws IOException {
        String key = "dfs.block.replicator.classname";

        Finding finding = about(key, check(role, key, "io.github.foresight.placement.OrthogonalPlacementPolicy"));

        assertThat(finding.severity()).isEqualTo(Severity.WRONG);
        assertThat(finding.message()).contains("the " + role.title() + " will not start");
        assertThat(finding.remedy()).contains("lib/foresight-placement.jar");
    }

    @Test
    void run_placementForErasureCodedFiles_isWrong() throws IOException {
        Finding finding = about(
                "dfs.block.placement.ec.classname",
                check(NodeRole.NAMENODE, "dfs.block.placement.ec.classname", POLICY).stream()
                        .filter(any -> any.message().contains("erasure-coded"))
                        .collect(Collectors.toList()));
        assertThat(finding.severity()).isEqualTo(Severity.WRONG);
        assertThat(finding.remedy()).contains("BlockPlacementPolicyRackFaultTolerant");
    }

    @Test
    void run_placementOnNodeGroups_isWrong() throws IOException {
        Finding finding =
                placement("net.topology.impl", "org.apache.hadoop.net.NetworkTopologyWithNodeGroup", Severity.WRONG);
        assertThat(finding.message()).contains("places nothing");
        assertThat(finding.remedy()).contains(POLICY_KEY);
    }

    @Test
    void run_placementThatLosesUpgradeDomains_isWrongAndNamesTheBase() throws IOException {
        String remedy = "foresight.placement.base.classname=" + HDFS_POLICIES + "BlockPlacementPolicyWithUpgradeDomain";
        assertThat(placement("dfs.namenode.upgrade.domain.factor", "3", Severity.WRONG)
                        .remedy())
                .contains(remedy);
        assertThat(placement(
                                "dfs.namenode.hosts.provider.classname",
                                HDFS_POLICIES + "CombinedHostFileManager",
                                Severity.WARNING)
                        .remedy())
                .contains(remedy);
        assertThat(check(
                        NodeRole.PLACEMENT,
                        Map.of(
                                POLICY_KEY,
                                POLICY,
                                "dfs.namenode.upgrade.domain.factor",
                                "3",
                                "foresight.placement.base.classname",
                                HDFS_POLICIES + "BlockPlacementPolicyWithUpgradeDomain")))
                .noneMatch(finding -> finding.subject().contains("domain")
                        || (finding.subject().contains("base") && finding.severity() != Severity.FINE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {POLICY, "no.such.Policy", "java.lang.String", HDFS_POLICIES + "BlockPlacementPolicyWithNodeGroup"
            })
    void run_basePolicyThatPlacementCannotStandOn_isWrong(String base) throws IOException {
        Finding finding = about(
                "foresight.placement.base.classname",
                check(NodeRole.PLACEMENT, Map.of(POLICY_KEY, POLICY, "foresight.placement.base.classname", base))
                        .stream()
                        .filter(any -> any.remedy().contains("give one of"))
                        .collect(Collectors.toList()));
        assertThat(finding.severity()).isEqualTo(Severity.WRONG);
        assertThat(finding.message()).contains(base);
        assertThat(finding.remedy()).contains("BlockPlacementPolicyWithUpgradeDomain");
    }

    private Finding placement(String key, String value, Severity severity) throws IOException {
        return about(key, check(NodeRole.PLACEMENT, Map.of(POLICY_KEY, POLICY, key, value)), severity);
    }
}
