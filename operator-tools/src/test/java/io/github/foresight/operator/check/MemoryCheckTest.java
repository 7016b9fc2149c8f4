/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The memory that a DataNode may lock, and the findings about it. */
final class MemoryCheckTest extends CheckedNode {

    @Test
    void run_capacityAboveTheLockLimit_isAWarningWithTheLimitThatIsNeeded() throws IOException {
        LockLimit small = new LockLimit("hdfs", 16L << 30, 64 << 10);
        Map<String, String> properties = Map.of(
                FACTORY,
                FORESIGHT_FACTORY,
                "foresight.datanode.cache.capacity",
                "1g",
                "dfs.datanode.max.locked.memory",
                "256m");

        Finding finding = about("memory", checkDataNode(small, properties));

        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.message()).contains("hdfs may lock 64 KiB");
        assertThat(finding.remedy()).contains("1280 MiB");
    }

    @Test
    void run_automaticCapacityWithADefaultLimit_isAWarning() throws IOException {
        LockLimit small = new LockLimit("hdfs", 16L << 30, 8 << 20);

        Finding finding = about("memory", checkDataNode(small, Map.of(FACTORY, FORESIGHT_FACTORY)));

        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.message()).contains("may lock only 8 MiB");
    }

    @Test
    void run_lockLimitThatSuffices_isFine() throws IOException {
        assertThat(about("memory", checkDataNode(NO_LIMIT, Map.of(FACTORY, FORESIGHT_FACTORY)))
                        .severity())
                .isEqualTo(Severity.FINE);
    }

    @Test
    void run_capacityAboveHalfTheMachine_isAWarning() throws IOException {
        Map<String, String> properties = Map.of(FACTORY, FORESIGHT_FACTORY, "foresight.datanode.cache.capacity", "12g");

        assertThat(about("foresight.datanode.cache.capacity", checkDataNode(NO_LIMIT, properties), Severity.WARNING)
                        .message())
                .contains("more than half");
    }

    @Test
    void run_lockedMemoryThatIsNoSize_isWrong() throws IOException {
        Map<String, String> properties = Map.of(FACTORY, FORESIGHT_FACTORY, "dfs.datanode.max.locked.memory", "plenty");

        assertThat(about("dfs.datanode.max.locked.memory", checkDataNode(NO_LIMIT, properties))
                        .message())
                .contains("'plenty' is not a size");
    }

    private List<Finding> checkDataNode(LockLimit limit, Map<String, String> properties) throws IOException {
        return check(NodeRole.DATANODE, CLASSPATH, JAVA_17, limit, new NodeConfiguration(properties, name -> null));
    }
}
