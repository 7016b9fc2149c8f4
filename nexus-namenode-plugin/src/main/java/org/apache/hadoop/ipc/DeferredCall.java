/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.ipc;

import java.io.IOException;
import java.net.InetAddress;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.Callable;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;

/**
 * An RPC that its handler has given up and that another thread carries out later, as the same caller: with the call's id and client for the
 * retry cache, its user, address, caller context and {@linkplain AuthorizationHeader authorization header}. Stands in this package to extend {@link Server.Call}.
 *
 * <p>{@link ProtobufRpcEngineCallback2} alone would answer too soon. HDFS's edit log postpones the current call's response until the edit is
 * on disk, and counts this in the call; the callback does not look at the count. So the thread has this call as its current one, and the
 * callback is used only when the count says so: when the work is done and each of its edits is synced.
 *
 * <pre>
 *   handler: begin() ── deferred ──┐
 *   thread:                        └─ carryOut(work) ─┬─ null: still deferred
 *                                                     └─ response or error ── edits synced ── sent
 * </pre>
 *
 * <p>One thread at a time carries it out. The response may be sent by the thread that syncs the edit log.
 */
public final class DeferredCall extends Server.Call {

    private final Server.Call original;
    private final ProtobufRpcEngineCallback2 callback;
    private final @Nullable CallerContext context;
    private final AuthorizationHeader header;
    private final byte @Nullable [] authorization;
    private volatile @Nullable Message response;
    private volatile @Nullable Throwable error;

    DeferredCall(Server.Call original, ProtobufRpcEngineCallback2 callback) {
        this(original, callback, AuthorizationHeader.OF_HADOOP);
    }

    DeferredCall(Server.Call original, ProtobufRpcEngineCallback2 callback, AuthorizationHeader header) {
        super(original.callId, original.retryCount, null, null, original.rpcKind, original.clientId);
        this.original = original;
        this.callback = callback;
        this.context = CallerContext.getCurrent();
        this.header = header;
        this.authorization = header.current();
        setClientStateId(original.getClientStateId());
        markCallCoordinated(original.isCallCoordinated());
        setPriorityLevel(original.getPriorityLevel());
    }

    /**
     * Defers the RPC that this handler has in hand; the handler returns without an answer.
     *
     * @throws IllegalStateException if this thread has no RPC in hand
     */
    public static DeferredCall begin() {
        Server.Call call = Server.getCurCall().get();
        if (call == null) {
            throw new IllegalStateException("no RPC to defer");
        }
        return new DeferredCall(call, ProtobufRpcEngine2.Server.registerForDeferredResponse2());
    }

    /** Answers the RPC, of which no work is left. */
    public void answer(Message message) {
        callback.setResponse(message);
    }

    /**
     * Carries the RPC out, or a part of it, as its caller.
     *
     * @param work gives the response, or null if the call stays deferred. An exception of the work becomes the caller's answer; of
     * a {@link ServiceException} only the cause, as on a handler
     */
    public void carryOut(Callable<@Nullable Message> work) {
        ThreadLocal<Server.Call> current = Server.getCurCall();
        current.set(this);
        CallerContext.setCurrent(context);
        header.set(authorization);
        boolean isDone = true;
        try {
            response = asCaller(work);
            isDone = response != null;
        } catch (VirtualMachineError e) {
            error = e;
            throw e;
        } catch (Throwable e) {
            error = e;
        } finally {
            current.remove();
            CallerContext.setCurrent(null);
            header.clear();
            if (isDone) {
                end();
            }
        }
    }

    private @Nullable Message asCaller(Callable<@Nullable Message> work) throws Exception {
        UserGroupInformation user = getRemoteUser();
        return user == null
                ? unwrapped(work)
                : user.doAs((PrivilegedExceptionAction<@Nullable Message>) () -> unwrapped(work));
    }

    /** As HDFS's RPC server does before it leaves the caller's context, which passes on IOException but not ServiceException. */
    private static @Nullable Message unwrapped(Callable<@Nullable Message> work) throws Exception {
        try {
            return work.call();
        } catch (ServiceException e) {
            Throwable cause = e.getCause();
            throw cause instanceof Exception ? (Exception) cause : e;
        }
    }

    private void end() {
        try {
            sendResponse();
        } catch (IOException e) {
            // As on a handler: the connection is closed, so that no client can receive the error.
            Server.LOG.debug("The deferred {} could not be answered", this, e);
        }
    }

    /** Called when nothing postpones the response any longer. */
    @Override
    void doResponse(@Nullable Throwable failure, @Nullable RpcStatusProto status) throws IOException {
        Throwable thrown = error;
        Message answer = response;
        if (failure != null) {
            original.abortResponse(failure);
        } else if (thrown != null) {
            callback.error(thrown);
        } else if (answer != null) {
            callback.setResponse(answer);
        }
    }

    @Override
    boolean isOpen() {
        return original.isOpen();
    }

    @Override
    public @Nullable UserGroupInformation getRemoteUser() {
        return original.getRemoteUser();
    }

    @Override
    public @Nullable InetAddress getHostInetAddress() {
        return original.getHostInetAddress();
    }

    @Override
    public int getRemotePort() {
        return original.getRemotePort();
    }

    @Override
    public String getProtocol() {
        return original.getProtocol();
    }

    @Override
    public @Nullable CallerContext getCallerContext() {
        return context;
    }

    @Override
    public String toString() {
        return "deferred " + original;
    }
}
