/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.hint;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;

/**
 * Connections to DataNodes for hints. A late hint is worth nothing. For this reason there are no retries, and time-outs
 * are short. A DataNode that does not answer gets no hints for a pause; for a DataNode that does not know hints the
 * pause has the full length. A call waits for its answer. Thread-safe.
 */
public final class HintConnections implements Closeable {

    /** The most cached connections, and the most remembered pauses. Chosen, not measured. */
    private static final int MAX_CONNECTIONS = 1024;

    /** The time after which an unused connection is closed. Chosen, not measured. */
    private static final Duration CONNECTION_IDLE = Duration.ofMinutes(2);

    /**
     * The first pause of a DataNode that does not answer; each further pause is twice as long. Chosen, not measured.
     */
    private static final long FIRST_PAUSE_MILLIS = 1000;

    /**
     * The longest answer. Hadoop's own limit is 128 MiB. An answer has less than 1 KiB; a refusal by Hadoop with its
     * stack trace has about 10 KiB.
     */
    private static final int MAX_RESPONSE_BYTES = 64 << 10;

    /** A DataNode did not accept a hint, and gets no hints for a pause. */
    public static final class NotTakenException extends IOException {
        private static final long serialVersionUID = 1L;

        private final boolean knowsNoHints;

        private NotTakenException(String message, Exception cause, boolean knowsNoHints) {
            super(message, cause);
            this.knowsNoHints = knowsNoHints;
        }

        /** Whether the DataNode answered, but without Foresight. */
        public boolean knowsNoHints() {
            return knowsNoHints;
        }
    }

    private final Configuration rpcConf;

    /** For connections that a block token authenticates; no other call uses such a connection (HDFS-1965). */
    private final Configuration tokenConf;

    private final UserGroupInformation ugi;
    private final int timeoutMillis;
    private final int connectionIdleMillis;
    private final long longestPauseMillis;
    private final boolean byHostname;
    private final Cache<InetSocketAddress, HintProtocolPB> connections;
    private final Cache<InetSocketAddress, Pause> pauses;

    /** The pause in which a DataNode gets no hints. */
    private static final class Pause {
        final long millis;
        final long untilNanos;

        Pause(long millis, long nowNanos) {
            this.millis = millis;
            this.untilNanos = nowNanos + Duration.ofMillis(millis).toNanos();
        }
    }

    /**
     * Makes an empty set of connections.
     *
     * @param ugi the user for DataNodes; in a secure cluster a block token replaces it, if there is one
     * @param timeout of a connection and of an answer
     * @param backoff the longest pause in which a DataNode gets no hints
     */
    public HintConnections(Configuration conf, UserGroupInformation ugi, Duration timeout, Duration backoff) {
        this.ugi = ugi;
        this.timeoutMillis = Math.toIntExact(timeout.toMillis());
        this.longestPauseMillis = backoff.toMillis();
        this.byHostname = conf.getBoolean(
                HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
                HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
        this.rpcConf = impatient(conf, timeoutMillis);
        this.connectionIdleMillis = Math.max(
                0,
                rpcConf.getInt(
                        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY,
                        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECTION_MAXIDLETIME_DEFAULT));
        this.tokenConf = new Configuration(rpcConf);
        tokenConf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY, 0);
        this.connections = Caffeine.newBuilder()
                .maximumSize(MAX_CONNECTIONS)
                .expireAfterAccess(CONNECTION_IDLE)
                .executor(Runnable::run)
                .removalListener(HintConnections::disconnect)
                .build();
        this.pauses = Caffeine.newBuilder()
                .maximumSize(MAX_CONNECTIONS)
                .expireAfterWrite(backoff.multipliedBy(2))
                .executor(Runnable::run)
                .build();
    }

    private static void disconnect(
            @Nullable InetSocketAddress address, @Nullable HintProtocolPB proxy, RemovalCause cause) {
        if (proxy != null) {
            RPC.stopProxy(proxy);
        }
    }

    private static Configuration impatient(Configuration conf, int timeoutMillis) {
        Configuration copy = new Configuration(conf);
        copy.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
        copy.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
        copy.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, timeoutMillis);
        copy.setInt(CommonConfigurationKeys.IPC_MAXIMUM_RESPONSE_LENGTH, MAX_RESPONSE_BYTES);
        RPC.setProtocolEngine(copy, HintProtocolPB.class, ProtobufRpcEngine2.class);
        return copy;
    }

    /**
     * Sends a hint and waits for the answer.
     *
     * @return null during a pause of the DataNode
     * @throws NotTakenException if the DataNode did not accept the hint; its pause begins
     */
    public @Nullable HintResponseProto send(HintTarget target, HintRequestProto request) throws NotTakenException {
        InetSocketAddress address = NetUtils.createSocketAddr(target.node().getIpcAddr(byHostname));
        Pause pause = pauses.getIfPresent(address);
        if (pause != null && System.nanoTime() - pause.untilNanos < 0) {
            return null;
        }
        try {
            HintResponseProto response = callOnLivingConnection(address, target, request);
            pauses.invalidate(address);
            return response;
        } catch (ServiceException | IOException e) {
            connections.invalidate(address);
            boolean knowsNoHints = e.getCause() instanceof RemoteException;
            long millis = knowsNoHints ? longestPauseMillis : pause == null ? FIRST_PAUSE_MILLIS : 2 * pause.millis;
            Pause next = new Pause(Math.min(millis, longestPauseMillis), System.nanoTime());
            pauses.put(address, next);
            throw new NotTakenException(
                    address + " did not accept a hint and gets no hints for " + next.millis + " ms", e, knowsNoHints);
        }
    }

    /**
     * Calls {@link #call}, and calls it again if a cached connection of Hadoop was broken. After a restart of the
     * DataNode the break shows only with the next request. A repeated hint has the same effect as a single hint.
     */
    private HintResponseProto callOnLivingConnection(
            InetSocketAddress address, HintTarget target, HintRequestProto request)
            throws ServiceException, IOException {
        try {
            return call(address, target, request);
        } catch (ServiceException e) {
            if (!isBroken(e.getCause())) {
                throw e;
            }
            return call(address, target, request);
        }
    }

    private static boolean isBroken(@Nullable Throwable cause) {
        return cause instanceof EOFException
                || (cause instanceof SocketException && !(cause instanceof ConnectException));
    }

    private HintResponseProto call(InetSocketAddress address, HintTarget target, HintRequestProto request)
            throws ServiceException, IOException {
        if (target.token().getIdentifier().length > 0 && UserGroupInformation.isSecurityEnabled()) {
            return callWithBlockToken(address, target, request);
        }
        HintProtocolPB proxy = connections.getIfPresent(address);
        if (proxy == null) {
            HintProtocolPB created = connect(address, ugi, rpcConf);
            proxy = connections.get(address, unused -> created);
            if (proxy != created) {
                RPC.stopProxy(created);
            }
        }
        return proxy.hint(
                null,
                request.toBuilder()
                        .setConnectionIdleMillis(connectionIdleMillis)
                        .build());
    }

    /** In a secure cluster a task has no Kerberos ticket for the DataNode; its block token authenticates it. */
    private HintResponseProto callWithBlockToken(InetSocketAddress address, HintTarget target, HintRequestProto request)
            throws ServiceException, IOException {
        UserGroupInformation holder = UserGroupInformation.createRemoteUser(ugi.getUserName());
        holder.addToken(target.token());
        HintProtocolPB proxy = connect(address, holder, tokenConf);
        try {
            return proxy.hint(null, request);
        } finally {
            RPC.stopProxy(proxy);
        }
    }

    private HintProtocolPB connect(InetSocketAddress address, UserGroupInformation user, Configuration conf)
            throws IOException {
        return RPC.getProxy(
                HintProtocolPB.class,
                HintProtocolPB.PROTOCOL_VERSION,
                address,
                user,
                conf,
                NetUtils.getDefaultSocketFactory(conf),
                timeoutMillis);
    }

    @Override
    public void close() {
        connections.invalidateAll();
    }
}
