/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** A NameNode of Hadoop's RPC server alone, which answers as a test says and remembers its calls. Thread-safe. */
final class FakeNameNode implements AutoCloseable {

    /** Answers a call; an exception is sent to the client as a NameNode sends it. */
    @FunctionalInterface
    interface Answer {
        Message to(String method, Message request) throws IOException;
    }

    /** A call as the server has received it; immutable. */
    static final class Received {
        private final String method;
        private final Message request;
        private final int callId;
        private final int retry;

        private Received(String method, Message request, int callId, int retry) {
            this.method = method;
            this.request = request;
            this.callId = callId;
            this.retry = retry;
        }

        String method() {
            return method;
        }

        Message request() {
            return request;
        }

        int callId() {
            return callId;
        }

        /** How many attempts of this call the client says that it has made before. */
        int retry() {
            return retry;
        }
    }

    private static final String LOOPBACK = "127.0.0.1";

    private final RPC.Server server;
    private final List<Received> received = Collections.synchronizedList(new ArrayList<>());

    private FakeNameNode(String bindAddress, int port, Answer answer) throws IOException {
        Configuration conf = new Configuration(false);
        RPC.setProtocolEngine(conf, ClientNamenodeProtocolPB.class, ProtobufRpcEngine2.class);
        Object service = Proxy.newProxyInstance(
                FakeNameNode.class.getClassLoader(),
                new Class<?>[] {ClientNamenodeProtocol.BlockingInterface.class},
                (proxy, method, arguments) -> answered(method, (Message) arguments[1], answer));
        this.server = new RPC.Builder(conf)
                .setProtocol(ClientNamenodeProtocolPB.class)
                .setInstance(ClientNamenodeProtocol.newReflectiveBlockingService(
                        (ClientNamenodeProtocol.BlockingInterface) service))
                .setBindAddress(bindAddress)
                .setPort(port)
                .setNumHandlers(8)
                .build();
        server.start();
    }

    /** Starts on a free port. */
    static FakeNameNode start(Answer answer) throws IOException {
        return new FakeNameNode(LOOPBACK, 0, answer);
    }

    /** Starts on a free port of all addresses of this machine, of which 127.0.0.2 is another than 127.0.0.1. */
    static FakeNameNode startAtAllAddresses(Answer answer) throws IOException {
        return new FakeNameNode("0.0.0.0", 0, answer);
    }

    /** Starts on a port that a client knows already. */
    static FakeNameNode startAt(int port, Answer answer) throws IOException {
        return new FakeNameNode(LOOPBACK, port, answer);
    }

    private Object answered(Method method, Message request, Answer answer) throws ServiceException {
        received.add(new Received(method.getName(), request, Server.getCallId(), Server.getCallRetryCount()));
        try {
            return answer.to(method.getName(), request);
        } catch (IOException e) {
            throw new ServiceException(e);
        }
    }

    int port() {
        return server.getListenerAddress().getPort();
    }

    /** The calls of a method, in order. */
    List<Received> received(String method) {
        return received().stream().filter(call -> call.method().equals(method)).collect(Collectors.toList());
    }

    /** All calls, in order. */
    List<Received> received() {
        synchronized (received) {
            return new ArrayList<>(received);
        }
    }

    @Override
    public void close() {
        server.stop();
    }
}
