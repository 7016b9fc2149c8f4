/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client's properties, in clients and in daemons that are clients, and the findings about them. */
final class ClientCheckTest extends CheckedNode {

    @Test
    void run_providerOfAnUnknownCluster_isAWarningWithTheKnownClusters() throws IOException {
        Map<String, String> properties = Map.of(
                PROVIDER + "mycluster",
                "io.github.foresight.client.ForesightProxyProvider",
                OBSERVERS,
                "io.github.foresight.client.ReadObserver",
                "fs.defaultFS",
                "hdfs://namenode.example:8020");

        Finding finding = about(PROVIDER + "mycluster", checkClient(properties), Severity.WARNING);

        assertThat(finding.message()).contains("no cluster here is called 'mycluster'", "namenode.example");
    }

    @Test
    void run_providerOfANameservice_isNotTakenForUnknown() throws IOException {
        Map<String, String> properties = Map.of(
                PROVIDER + "ns1",
                "io.github.foresight.client.ForesightProxyProvider",
                OBSERVERS,
                "io.github.foresight.client.ReadObserver",
                "dfs.nameservices",
                "ns0, ns1");

        assertThat(checkClient(properties))
                .noneMatch(finding -> finding.message().contains("no cluster here"));
    }

    @Test
    void run_clientInstalledByItsFileSystemAlone_needsNothingButItsJar() throws IOException {
        Map<String, String> properties = Map.of(
                "fs.hdfs.impl",
                "io.github.foresight.client.ForesightFileSystem",
                "fs.AbstractFileSystem.hdfs.impl",
                "io.github.foresight.client.ForesightFs");

        List<Finding> findings = checkClient(properties);
        for (String key : properties.keySet()) {
            assertThat(about(key, findings, Severity.WRONG).remedy()).contains("foresight-client.jar");
        }
        assertThat(findings)
                .filteredOn(finding -> !properties.containsKey(finding.subject()))
                .noneMatch(finding -> finding.severity() != Severity.FINE);
    }

    @Test
    void run_halfOfTheClientsProperties_isAWarning() throws IOException {
        assertThat(checkClient(Map.of(OBSERVERS, "io.github.foresight.client.ReadObserver")))
                .anyMatch(finding -> finding.message().contains("no hints are sent"));
        assertThat(checkClient(Map.of(
                        PROVIDER + "ns1",
                        "io.github.foresight.client.ForesightProxyProvider",
                        "dfs.nameservices",
                        "ns1")))
                .anyMatch(finding -> finding.message().contains("does not see what is read"));
    }

    @ParameterizedTest
    @EnumSource(
            value = NodeRole.class,
            names = {
                "SPS",
                "JOBHISTORYSERVER",
                "DATANODE",
                "BALANCER",
                "MOVER",
                "HTTPFS",
                "NFS3",
                "ROUTER",
                "RESOURCEMANAGER",
                "NODEMANAGER"
            })
    void run_daemonThatIsAClientWithoutTheProvider_isWrong(NodeRole role) throws IOException {
        Map<String, String> properties = Map.of(PROVIDER + "ns1", "io.github.foresight.client.ForesightProxyProvider");

        assertThat(about(PROVIDER + "ns1", check(role, properties)).severity()).isEqualTo(Severity.WRONG);
    }

    private List<Finding> checkClient(Map<String, String> properties) throws IOException {
        return check(NodeRole.CLIENT, CLASSPATH, JAVA_17, NO_LIMIT, new NodeConfiguration(properties, name -> null));
    }
}
