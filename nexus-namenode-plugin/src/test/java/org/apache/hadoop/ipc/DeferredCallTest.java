/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteResponseProto;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeferredCallTest {

    private static final Message ANSWER =
            DeleteResponseProto.newBuilder().setResult(true).build();

    private final List<Object> sent = new ArrayList<>();
    private final Server.Call original =
            new Server.Call(7, 2, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, new byte[] {1, 2, 3});
    private final ProtobufRpcEngineCallback2 callback = new ProtobufRpcEngineCallback2() {
        @Override
        public void setResponse(Message message) {
            sent.add(message);
        }

        @Override
        public void error(Throwable t) {
            sent.add(t);
        }
    };
    private final DeferredCall call = new DeferredCall(original, callback);

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

    /** As Hadoop 3.5 has it in {@code AuthorizationContext}. */
    public static final class HeaderOfThread {
        private static final ThreadLocal<byte[]> HEADER = new ThreadLocal<>();

        private HeaderOfThread() {}

        public static void setCurrentAuthorizationHeader(byte[] header) {
            HEADER.set(header);
        }

        public static byte[] getCurrentAuthorizationHeader() {
            return HEADER.get();
        }

        public static void clear() {
            HEADER.remove();
        }
    }

    @Test
    void carryOut_hasTheCallersAuthorizationHeader_andLeavesNoneOnTheThread() throws Exception {
        assertAuthorizationHeaderIsCarried(AuthorizationHeader.of(HeaderOfThread.class));
    }

    private static @Nullable Class<?> contextOfHadoop() {
        try {
            return Class.forName("org.apache.hadoop.security.AuthorizationContext");
        } catch (ClassNotFoundException upTo34) {
            return null;
        }
    }

    @Test
    void carryOut_hasTheCallersAuthorizationHeader_ofHadoopItself() throws Exception {
        Class<?> context = contextOfHadoop();
        assumeTrue(context != null, "Hadoop has authorization headers from 3.5 on");
        AuthorizationHeader.of(context).set(new byte[] {1});
        assertThat(AuthorizationHeader.OF_HADOOP.current()).containsExactly(1);
        assertAuthorizationHeaderIsCarried(AuthorizationHeader.OF_HADOOP);
    }

    @Test
    void authorizationHeader_ofAHadoopWithoutHeaders_isNotKept() {
        assumeTrue(contextOfHadoop() == null, "Hadoop has authorization headers");
        AuthorizationHeader.OF_HADOOP.set(new byte[] {1});
        assertThat(AuthorizationHeader.OF_HADOOP.current()).isNull();
        AuthorizationHeader.OF_HADOOP.clear();
    }

    /** The handler goes on with a call that has another header, and another thread carries the deferred call out. */
    private void assertAuthorizationHeaderIsCarried(AuthorizationHeader header) throws Exception {
        header.set(new byte[] {4, 5});
        DeferredCall deferred = new DeferredCall(original, callback, header);
        header.set(new byte[] {6});
        List<byte[]> seen = new ArrayList<>();
        Thread carrier = new Thread(() -> {
            deferred.carryOut(() -> {
                seen.add(header.current());
                return ANSWER;
            });
            seen.add(header.current());
        });
        carrier.start();
        carrier.join();
        header.clear();
        assertThat(seen).containsExactly(new byte[] {4, 5}, null);
        assertThat(sent).containsExactly(ANSWER);
    }
}
