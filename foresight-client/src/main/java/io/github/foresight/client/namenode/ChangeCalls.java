/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import io.github.foresight.client.lease.LeaseMember;
import io.github.foresight.client.lease.MarkedRequest;
import io.github.foresight.client.lease.PlainPaths;
import io.github.foresight.client.metadata.MetadataCache;
import io.github.foresight.client.metrics.ClientMetrics;
import io.github.foresight.protocol.change.ChangedPaths;
import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RpcInvocationHandler;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a connection to a NameNode, as HDFS's translator makes them. Before a request that changes the namespace is sent, the JVM's
 * caches forget the request's paths. The request carries this JVM's mark where the NameNode has granted a lease. After the answer, or the
 * failure, the connection's own cache forgets once more, for under bounded consistency it may have learned the old layout meanwhile.
 * Everything else passes through as it is. Opens do not come here. Thread-safe.
 *
 * <p>In Hadoop's asynchronous mode the answer comes later and by another way, past this class. Leases need none of it: recalls that it
 * brings come again with the next reply. The second forgetting follows the sending then. So under bounded consistency an open between the
 * sending and the change can learn the old layout, until the NameNode names the change or the layout's age is over.
 */
final class ChangeCalls implements RpcInvocationHandler {

    private final ClientNamenodeProtocolPB connection;
    private final LeaseMember leases;
    private final MetadataCache cache;

    ChangeCalls(ClientNamenodeProtocolPB connection, LeaseMember leases, MetadataCache cache) {
        this.connection = connection;
        this.leases = leases;
        this.cache = cache;
    }

    ClientNamenodeProtocolPB proxy() {
        return (ClientNamenodeProtocolPB) Proxy.newProxyInstance(
                ClientNamenodeProtocolPB.class.getClassLoader(), new Class<?>[] {ClientNamenodeProtocolPB.class}, this);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (arguments != null
                && arguments.length == 2
                && arguments[1] instanceof Message
                && ChangedPaths.isChange((Message) arguments[1])) {
            return changed(method, arguments[0], (Message) arguments[1]);
        }
        return invoked(method, arguments);
    }

    private @Nullable Object changed(Method method, @Nullable Object controller, Message request) throws Throwable {
        List<String> paths = PlainPaths.changed(ChangedPaths.of(request));
        MarkedRequest marked = changing(paths);
        Message sent = marked != null && marked.isMarked() ? withMark(request, marked) : request;
        try {
            Object answer = invoked(method, new Object[] {controller, sent});
            if (marked != null && answer instanceof Message) {
                answered(marked, (Message) answer);
            }
            return answer;
        } finally {
            paths.forEach(cache::forget);
        }
    }

    private @Nullable MarkedRequest changing(List<String> paths) {
        try {
            return leases.changing(paths);
        } catch (RuntimeException | LinkageError e) {
            leases.abandon(e);
            return null;
        }
    }

    private Message withMark(Message request, MarkedRequest marked) {
        try {
            UnknownFieldSet note = Notes.fieldsWith(ClientNoteProto.newBuilder().setLease(marked.mark()));
            return request.toBuilder().mergeUnknownFields(note).build();
        } catch (RuntimeException | LinkageError e) {
            ClientMetrics.INSTANCE.internalErrors.incr();
            return request;
        }
    }

    private void answered(MarkedRequest marked, Message answer) {
        try {
            NameNodeNoteProto note = Notes.nameNodeNote(answer);
            if (note != null && note.hasLease()) {
                leases.receive(marked, note.getLease());
            }
        } catch (RuntimeException | LinkageError e) {
            leases.abandon(e);
        }
    }

    private @Nullable Object invoked(Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Override
    public ConnectionId getConnectionId() {
        return RPC.getConnectionIdForProxy(connection);
    }

    @Override
    public void close() {
        RPC.stopProxy(connection);
    }
}
