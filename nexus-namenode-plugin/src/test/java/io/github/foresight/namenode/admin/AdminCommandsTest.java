/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.admin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AdminCommandsTest {

    @Test
    void logOfACommand_namesUserAndAddress_onOneLine() {
        assertThat(AdminCommands.request("hdfs@EXAMPLE.COM", "10.0.0.1", "disable", "learn"))
                .isEqualTo("The command 'foresight disable learn' of hdfs@EXAMPLE.COM from 10.0.0.1");
        assertThat(AdminCommands.request("mallory", null, "clear\n2026 INFO all is well"))
                .isEqualTo("The command 'foresight clear 2026 INFO all is well' of mallory from this host");
    }
}
