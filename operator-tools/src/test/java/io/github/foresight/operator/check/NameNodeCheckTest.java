/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A NameNode's client and audit loggers, and the findings about them. */
final class NameNodeCheckTest extends CheckedNode {

    private static final String AUDIT_LOGGERS = "dfs.namenode.audit.loggers";
    private static final String FORESIGHT_AUDIT_LOGGER = "io.github.foresight.namenode.ChangeAuditLogger";

    @Test
    void run_nameNodeWithoutTheClientsProvider_isWrongWhereTrashIsEmptied() throws IOException {
        Map<String, String> properties = Map.of(
                PROVIDER + "ns1", "io.github.foresight.client.ForesightProxyProvider", "fs.trash.interval", "360");

        Finding finding = about(PROVIDER + "ns1", check(NodeRole.NAMENODE, properties), Severity.WRONG);

        assertThat(finding.message()).contains("is in no jar", "the NameNode stops when it becomes active");
        assertThat(finding.remedy()).contains("lib/foresight-client.jar");
    }

    @Test
    void run_nameNodeWithoutTheClientsProvider_isAWarningWhereNoTrashIsEmptied() throws IOException {
        String provider = "io.github.foresight.client.ForesightProxyProvider";
        for (Map<String, String> properties : List.of(
                Map.of(PROVIDER + "ns1", provider), Map.of(PROVIDER + "ns1", provider, "fs.trash.interval", "0"))) {
            assertThat(about(PROVIDER + "ns1", check(NodeRole.NAMENODE, properties))
                            .severity())
                    .isEqualTo(Severity.WARNING);
        }
    }

    @Test
    void run_nameNodeWithoutTheClientsProvider_isWrongWhereItsCheckpointIsInHdfs() throws IOException {
        Map<String, String> properties = Map.of(
                PROVIDER + "ns1",
                "io.github.foresight.client.ForesightProxyProvider",
                "foresight.namenode.checkpoint.hdfs.path",
                "/system/foresight/graph");

        Finding finding = about(PROVIDER + "ns1", check(NodeRole.NAMENODE, properties), Severity.WRONG);

        assertThat(finding.message()).contains("the NameNode cannot keep in HDFS what it learns");
    }

    @ParameterizedTest
    @EnumSource(
            value = NodeRole.class,
            names = {"NAMENODE", "SECONDARYNAMENODE"})
    void run_auditLoggerThatIsMissing_isWrong(NodeRole role) throws IOException {
        List<Finding> findings = check(role, AUDIT_LOGGERS, "default," + FORESIGHT_AUDIT_LOGGER);

        Finding finding = about(AUDIT_LOGGERS, findings);
        assertThat(finding.severity()).isEqualTo(Severity.WRONG);
        assertThat(finding.message()).contains("is in no jar", "the " + role.title() + " will not start");
        assertThat(finding.remedy()).contains("copy lib/foresight-namenode.jar");
        assertThat(findings).as("the word for HDFS's own logger names no class").noneMatch(found -> found.message()
                .startsWith("default "));
    }

    @Test
    void run_auditLoggerOfHdfsItself_isFine() throws IOException {
        String name = "org.apache.hadoop.hdfs.server.namenode.top.TopAuditLogger";

        assertThat(check(NodeRole.NAMENODE, AUDIT_LOGGERS, "default, " + name))
                .filteredOn(finding -> finding.subject().equals(AUDIT_LOGGERS))
                .singleElement()
                .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.FINE));
    }

    @Test
    void run_pluginWithoutItsAuditLogger_isAWarning() throws IOException {
        String plugin = "io.github.foresight.namenode.ForesightPlugin";
        Finding finding = about(
                AUDIT_LOGGERS,
                check(NodeRole.NAMENODE, Map.of("dfs.namenode.plugins", plugin, AUDIT_LOGGERS, "default")),
                Severity.WARNING);

        assertThat(finding.message()).contains("changes by WebHDFS");
        assertThat(finding.remedy()).contains("give default," + FORESIGHT_AUDIT_LOGGER);
        assertThat(check(
                        NodeRole.NAMENODE,
                        Map.of("dfs.namenode.plugins", plugin, AUDIT_LOGGERS, "default, " + FORESIGHT_AUDIT_LOGGER)))
                .noneMatch(found -> found.message().contains("changes by WebHDFS"));
    }
}
