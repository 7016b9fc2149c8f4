/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RpcInvocationHandler;
import org.jspecify.annotations.Nullable;

/**
 * The calls to a NameNode without high availability, of a client that has a failover proxy provider.
 *
 * <pre>
 *   DFSClient -> HDFS's retry handler for HA -> SingleNameNodeCalls -> HDFS's retry handler for one NameNode -> connection
 * </pre>
 *
 * <p>HDFS takes the retry policy of a nameservice wherever a provider is configured. That policy would repeat a call to a NameNode that is
 * down for minutes, where HDFS without a provider fails at once. So the inner handler, which HDFS makes without a provider, repeats calls,
 * and the outer handler repeats none. The inner handler numbers a call anew, once for all attempts: the NameNode's retry cache
 * sees one call.
 *
 * <p>The outer handler learns that a call is not to be repeated by {@link #rethrowFailure}. A version of Hadoop whose handler does not ask for that
 * falls back to the policy of a nameservice. An asynchronous call belongs to the outer handler alone. Thread-safe.
 */
final class SingleNameNodeCalls implements RpcInvocationHandler {

    /** How a thread's last call has failed, until that is thrown or the next call begins. */
    private static final ThreadLocal<@Nullable Failure> LAST = new ThreadLocal<>();

    private static final class Failure {
        final SingleNameNodeCalls calls;
        final Exception exception;

        Failure(SingleNameNodeCalls calls, Exception exception) {
            this.calls = calls;
            this.exception = exception;
        }
    }

    private final Object retrying;
    private final Object connection;

    /**
     * Calls through a proxy that repeats them.
     *
     * @param retrying closes the connection as well
     * @param connection makes each call once
     */
    SingleNameNodeCalls(Object retrying, Object connection) {
        this.retrying = retrying;
        this.connection = connection;
    }

    /** A proxy that makes these calls. */
    <T> T proxy(Class<T> protocol) {
        return protocol.cast(Proxy.newProxyInstance(protocol.getClassLoader(), new Class<?>[] {protocol}, this));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        LAST.remove();
        if (Client.isAsynchronousMode()) {
            return invoked(connection, method, arguments);
        }
        PendingCall.withdraw();
        try {
            return invoked(retrying, method, arguments);
        } catch (Exception e) {
            LAST.set(new Failure(this, e));
            throw e;
        }
    }

    private static @Nullable Object invoked(Object target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Throws the failure of the calling thread's last call, once; does nothing where that call has not failed. */
    void rethrowFailure() {
        Failure last = LAST.get();
        if (last != null && last.calls == this) {
            LAST.remove();
            SingleNameNodeCalls.<RuntimeException>throwAsIs(last.exception);
        }
    }

    /** The retry handler lets every exception through, though the method that it calls declares none. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> void throwAsIs(Throwable failed) throws E {
        throw (E) failed;
    }

    @Override
    public ConnectionId getConnectionId() {
        return RPC.getConnectionIdForProxy(connection);
    }

    @Override
    public void close() {
        RPC.stopProxy(retrying);
    }
}
