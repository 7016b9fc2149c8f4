/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import io.github.foresight.protocol.hint.HintProtocolPB;
import io.github.foresight.protocol.proto.HintProtos.HintProtocolService;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.thirdparty.protobuf.RpcController;

/** The hint service of a DataNode, on a real IPC server. It keeps the requests, and gives the test's answers. */
public final class FakeDataNode implements HintProtocolPB, AutoCloseable {

    private static final String BIND = "127.0.0.1";
    private static final int TRANSFER_PORT = 1;

    private final String uuid;
    private final RPC.Server server;
    private final List<HintRequestProto> requests = new ArrayList<>();
    private volatile Function<HintRequestProto, HintResponseProto> answer = request ->
            HintResponseProto.newBuilder().setAccepted(request.getBlockNum()).build();

    /** A DataNode with the hint service. */
    public static FakeDataNode start(String uuid) throws IOException {
        return new FakeDataNode(uuid, HintProtocolPB.class, 0);
    }

    /** The same DataNode after a restart: at the same port, without anything of before. */
    FakeDataNode restart() throws IOException, InterruptedException {
        int port = server.getListenerAddress().getPort();
        server.stop();
        server.join();
        return new FakeDataNode(uuid, HintProtocolPB.class, port);
    }

    /** A stock DataNode: its IPC server does not know the hint protocol. */
    static FakeDataNode startStock(String uuid) throws IOException {
        return new FakeDataNode(uuid, StockProtocol.class, 0);
    }

    /** Stands for the protocols that every DataNode has. */
    interface StockProtocol extends HintProtocolService.BlockingInterface {
        long versionID = 1;
    }

    private FakeDataNode(String uuid, Class<?> protocol, int port) throws IOException {
        this.uuid = uuid;
        Configuration conf = new Configuration();
        RPC.setProtocolEngine(conf, protocol, ProtobufRpcEngine2.class);
        this.server = new RPC.Builder(conf)
                .setProtocol(protocol)
                .setInstance(HintProtocolService.newReflectiveBlockingService(this))
                .setBindAddress(BIND)
                .setPort(port)
                .setNumHandlers(2)
                .build();
        server.start();
    }

    @Override
    public HintResponseProto hint(RpcController controller, HintRequestProto request) {
        synchronized (requests) {
            requests.add(request);
        }
        return answer.apply(request);
    }

    public void answering(Function<HintRequestProto, HintResponseProto> newAnswer) {
        answer = newAnswer;
    }

    /** As the NameNode would tell a client of it. */
    public DatanodeInfo info() {
        return info(uuid, server.getListenerAddress().getPort());
    }

    public static DatanodeInfo info(String uuid, int ipcPort) {
        return new DatanodeInfo.DatanodeInfoBuilder()
                .setIpAddr(BIND)
                .setHostName("localhost")
                .setDatanodeUuid(uuid)
                .setXferPort(TRANSFER_PORT)
                .setIpcPort(ipcPort)
                .build();
    }

    public List<HintRequestProto> requests() {
        synchronized (requests) {
            return new ArrayList<>(requests);
        }
    }

    public List<HintRequestProto> requests(OpType type) {
        List<HintRequestProto> matching = new ArrayList<>();
        for (HintRequestProto request : requests()) {
            if (request.getOpType() == type) {
                matching.add(request);
            }
        }
        return matching;
    }

    @Override
    public void close() {
        server.stop();
    }
}
