/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB;
import org.apache.hadoop.hdfs.server.namenode.ha.AbstractNNFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.HAProxyFactory;
import org.apache.hadoop.io.retry.DefaultFailoverProxyProvider;
import org.apache.hadoop.io.retry.RetryPolicy;
import org.apache.hadoop.io.retry.RetryProxy;
import org.apache.hadoop.io.retry.RetryUtils;
import org.apache.hadoop.ipc.RPC;
import org.jspecify.annotations.Nullable;

/**
 * A provider for one NameNode at a host and port, without high availability. Calls are repeated as HDFS repeats them when no provider is
 * configured: {@link SingleNameNodeCalls} says how. Thread-safe.
 *
 * <p>Source: {@code NameNodeProxiesClient.createProxyWithAlignmentContext} of Hadoop 3.3 to 3.5, which configures its retries alike.
 */
public final class SingleNameNodeProvider<T> extends AbstractNNFailoverProxyProvider<T> {

    /** The client's own: the base class has set the retries of connections in its copy to those of a nameservice. */
    private final Configuration clientConf;

    private final InetSocketAddress address;

    @GuardedBy("this")
    private @Nullable ProxyInfo<T> nameNode;

    @GuardedBy("this")
    private @Nullable SingleNameNodeCalls calls;

    /** For the one NameNode of a URI. */
    public SingleNameNodeProvider(Configuration conf, URI uri, Class<T> xface, HAProxyFactory<T> factory) {
        super(conf, uri, xface, factory);
        this.clientConf = conf;
        this.address = DFSUtilClient.getNNAddress(uri);
    }

    @Override
    public synchronized ProxyInfo<T> getProxy() {
        ProxyInfo<T> made = nameNode;
        if (made == null) {
            try {
                made = new ProxyInfo<>(makeProxy(), address.toString());
            } catch (IOException e) {
                throw new UncheckedIOException("no proxy to the NameNode at " + address, e);
            }
            nameNode = made;
        }
        return made;
    }

    @GuardedBy("this")
    private T makeProxy() throws IOException {
        boolean nests = PendingCall.canWithdraw();
        boolean isClientProtocol = xface == ClientProtocol.class;
        // HDFS's factory for clients never adds retries; its factory for daemons adds them where the parameter says so.
        T connection = factory.createProxy(
                clientConf, address, xface, ugi, nests && !isClientProtocol, getFallbackToSimpleAuth());
        if (!nests) {
            return connection;
        }
        T retrying = isClientProtocol ? retrying(connection) : connection;
        SingleNameNodeCalls made = new SingleNameNodeCalls(retrying, connection);
        calls = made;
        return made.proxy(xface);
    }

    @SuppressWarnings("unchecked") // RetryProxy returns what implements the interface
    private T retrying(T connection) {
        RetryPolicy policy = RetryUtils.getDefaultRetryPolicy(
                clientConf,
                HdfsClientConfigKeys.Retry.POLICY_ENABLED_KEY,
                HdfsClientConfigKeys.Retry.POLICY_ENABLED_DEFAULT,
                HdfsClientConfigKeys.Retry.POLICY_SPEC_KEY,
                HdfsClientConfigKeys.Retry.POLICY_SPEC_DEFAULT,
                HdfsConstants.SAFEMODE_EXCEPTION_CLASS_NAME);
        return (T) RetryProxy.create(xface, new Connection<>(xface, connection), Collections.emptyMap(), policy);
    }

    /** HDFS's own provider of one proxy, which HDFS's log of retries calls by the name of HDFS's own class. */
    private static final class Connection<T> extends DefaultFailoverProxyProvider<T> {
        private final ProxyInfo<T> info;

        Connection(Class<T> xface, T proxy) {
            super(xface, proxy);
            this.info = new ProxyInfo<T>(proxy, null) {
                @Override
                public String getString(String methodName) {
                    return ClientNamenodeProtocolTranslatorPB.class.getSimpleName() + "." + methodName + " over null";
                }
            };
        }

        @Override
        public ProxyInfo<T> getProxy() {
            return info;
        }
    }

    @Override
    public void performFailover(T currentProxy) {
        // There is nothing to fail over to.
    }

    /**
     * The protocol.
     *
     * <p>HDFS's retry handler calls this method when a call has failed, to see whether the call may be repeated. Then this method
     * throws that failure, which ends the call.
     */
    @Override
    public Class<T> getInterface() {
        SingleNameNodeCalls made;
        synchronized (this) {
            made = calls;
        }
        if (made != null) {
            made.rethrowFailure();
        }
        return xface;
    }

    @Override
    public boolean useLogicalURI() {
        return false;
    }

    @Override
    public synchronized void close() throws IOException {
        if (nameNode != null) {
            RPC.stopProxy(nameNode.proxy);
        }
    }
}
