/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

final class SparkRequestsTest {

    @Test
    void eachRequestOfAClient_countsOnce() {
        ObjectNode bean = JsonNodeFactory.instance.objectNode();
        bean.put("GetFileInfoNumOps", 3);
        bean.put("GetFileInfoAvgTime", 0.5);
        bean.put("OverallGetFileInfoNumOps", 3);
        bean.put("DeferredGetFileInfoNumOps", 1);
        bean.put("SendHeartbeatNumOps", 100);
        assertThat(SparkCommand.requestsIn(bean))
                .containsOnlyKeys("GetFileInfo")
                .containsValue(3L);
    }
}
