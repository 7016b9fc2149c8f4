/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Values and names of keys, versions of Java and of Hadoop, and the findings about them. */
final class NodeCheckTest extends CheckedNode {

    @Test
    void run_valueThatItsKeyRefuses_isWrongAndSaysWhatIsAccepted() throws IOException {
        String key = "foresight.datanode.cache.capacity";

        Finding finding = about(key, check(NodeRole.DATANODE, key, "lots"));

        assertThat(finding.severity()).isEqualTo(Severity.WRONG);
        assertThat(finding.message()).contains("'lots' is not accepted");
        assertThat(finding.remedy()).contains("'auto', or a size").contains("default");
    }

    @Test
    void run_mistypedKey_isAWarningWithTheKeyThatWasMeant() throws IOException {
        Finding finding = about(
                "foresight.datanode.cache.capcity", check(NodeRole.DATANODE, "foresight.datanode.cache.capcity", "1g"));

        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.remedy()).contains("did you mean foresight.datanode.cache.capacity?");
    }

    @Test
    void run_unknownKeyLikeNoOther_isAWarningWithoutAGuess() throws IOException {
        Finding finding = about("foresight.weather", check(NodeRole.DATANODE, "foresight.weather", "rain"));

        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.remedy()).doesNotContain("did you mean");
    }

    @Test
    void run_javaBefore8_isWrong() throws IOException {
        Finding finding = about("java", check(CLASSPATH, new DaemonJava(7, "/jdk7"), NO_LIMIT));

        assertThat(finding.severity()).isEqualTo(Severity.WRONG);
        assertThat(finding.message()).contains("Java 7").contains("needs 8 or later");
    }

    @Test
    void run_javaThatTheContainerTestsRun_isFineAndAnotherAWarning() throws IOException {
        assertThat(severityOn("3.4.3", 8)).isEqualTo(Severity.FINE);
        assertThat(severityOn("3.4.3", 17)).isEqualTo(Severity.FINE);
        assertThat(severityOn("3.4.3", 21)).isEqualTo(Severity.WARNING);
        assertThat(severityOn("3.5.0", 21)).isEqualTo(Severity.FINE);
        assertThat(severityOn("3.5.0", 25)).isEqualTo(Severity.WARNING);
    }

    @Test
    void run_java11UnderHadoop35_isWrong() throws IOException {
        String classpath = hadoop("3.5.0") + File.pathSeparator + CLASSPATH;

        assertThat(about("java", check(classpath, new DaemonJava(11, "/jdk11"), NO_LIMIT))
                        .message())
                .contains("Hadoop 3.5.0 needs 17");
    }

    @Test
    void run_hadoopVersions_areFineTestedWarnedOrRefused() throws IOException {
        Map<String, Severity> expected = new LinkedHashMap<>();
        NodeCheck.TESTED_HADOOP.forEach(version -> expected.put(version, Severity.FINE));
        expected.put("3.4.1", Severity.WARNING);
        expected.put("3.6.0-SNAPSHOT", Severity.WARNING);
        expected.put("3.2.4", Severity.WRONG);
        expected.put("2.10.2", Severity.WRONG);
        for (Map.Entry<String, Severity> version : expected.entrySet()) {
            String classpath = hadoop(version.getKey()) + File.pathSeparator + CLASSPATH;

            assertThat(about("hadoop", check(classpath, JAVA_17, NO_LIMIT)).severity())
                    .as(version.getKey())
                    .isEqualTo(version.getValue());
        }
    }

    @Test
    void run_noHadoopOnTheClassPath_isWrong() throws IOException {
        assertThat(about("hadoop", check("", JAVA_17, NO_LIMIT)).severity()).isEqualTo(Severity.WRONG);
    }

    @Test
    void run_stockConfiguration_saysThatForesightIsNotInstalled() throws IOException {
        Finding finding = about("DataNode", check(NodeRole.DATANODE, "dfs.replication", "3"));

        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.remedy()).contains("conf/foresight-datanode.xml");
    }

    private Severity severityOn(String hadoop, int java) throws IOException {
        String classpath = hadoop(hadoop) + File.pathSeparator + CLASSPATH;
        return about("java", check(classpath, new DaemonJava(java, "/jdk"), NO_LIMIT))
                .severity();
    }
}
