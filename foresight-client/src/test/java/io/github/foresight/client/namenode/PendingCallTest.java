/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.ipc.Client;
import org.junit.jupiter.api.Test;

class PendingCallTest {

    @Test
    void withdraw_preparedCall_letsAnotherBePrepared() {
        Client.setCallIdAndRetryCount(1, 0, null);
        assertThatThrownBy(() -> Client.setCallIdAndRetryCount(2, 0, null)).isInstanceOf(IllegalStateException.class);
        assertThat(PendingCall.canWithdraw()).isTrue();
        PendingCall.withdraw();
        Client.setCallIdAndRetryCount(2, 0, null);
        PendingCall.withdraw();
    }
}
