/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteResponseProto;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeferredCallTest {

    private static final Message ANSWER =
            DeleteResponseProto.newBuilder().setResult(true).build();

    private final List<Object> sent = new ArrayList<>();
    private final Server.Call original =
            new Server.Call(7, 2, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, new byte[] {1, 2, 3});
    private final DeferredCall call = new DeferredCall(original, new ProtobufRpcEngineCallback2() {
        @Override
        public void setResponse(Message message) {
            sent.add(message);
        }

        @Override
        public void error(Throwable t) {
            sent.add(t);
        }
    });

    @AfterEach
    void nothingIsLeftOnTheThread() {
        assertThat(Server.getCurCall().get()).isNull();
    }

    @Test
    void carryOut_editNotSynced_isNotAnsweredBefore() throws Exception {
        call.carryOut(() -> {
            Server.getCurCall().get().postponeResponse();
            return ANSWER;
        });
        assertThat(sent).isEmpty();
        call.sendResponse();
        assertThat(sent).containsExactly(ANSWER);
    }

    @Test
    void carryOut_editSyncedMeanwhile_isAnsweredOnce() {
        call.carryOut(() -> {
            call.postponeResponse();
            call.sendResponse();
            return ANSWER;
        });
        assertThat(sent).containsExactly(ANSWER);
    }

    @Test
    void carryOut_notDone_staysDeferred() {
        call.carryOut(() -> null);
        assertThat(sent).isEmpty();
        call.carryOut(() -> ANSWER);
        assertThat(sent).containsExactly(ANSWER);
    }

    @Test
    void carryOut_failure_isTheCauseAsAHandlerWouldTell() {
        IOException failure = new FileNotFoundException("/f");
        call.carryOut(() -> {
            throw new ServiceException(failure);
        });
        assertThat(sent).containsExactly(failure);
    }

    @Test
    void carryOut_hasTheCallersIdForTheRetryCache() {
        call.carryOut(() -> {
            assertThat(Server.getCallId()).isEqualTo(7);
            assertThat(Server.getCallRetryCount()).isEqualTo(2);
            assertThat(Server.getClientId()).containsExactly(1, 2, 3);
            return ANSWER;
        });
        assertThat(sent).containsExactly(ANSWER);
    }
}
