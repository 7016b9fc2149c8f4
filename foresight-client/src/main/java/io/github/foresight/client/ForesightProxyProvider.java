/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import io.github.foresight.client.namenode.ForesightProxyFactory;
import io.github.foresight.client.namenode.SingleNameNodeProvider;
import io.github.foresight.protocol.conf.ClientKeys;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.server.namenode.ha.AbstractNNFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.HAProxyFactory;

/**
 * The failover proxy provider that an operator names in {@code dfs.client.failover.proxy.provider.<host or nameservice>}.
 *
 * <p>Everything about failover is left to an inner provider: the provider named by {@link ClientKeys#INNER_PROVIDER}, or HDFS's own for a
 * nameservice, or a plain connection for a host. Only the factory that it makes its NameNode proxies with is ours. Calls to a nameservice
 * are repeated as its inner provider's are, and calls to a host without high availability as those of a client that has no provider.
 * Thread-safe as its inner provider is.
 *
 * @param <T> the protocol; only {@code ClientProtocol} proxies are touched
 */
public final class ForesightProxyProvider<T> extends AbstractNNFailoverProxyProvider<T> {

    private final AbstractNNFailoverProxyProvider<T> inner;

    /** Called by HDFS through reflection. */
    public ForesightProxyProvider(Configuration conf, URI uri, Class<T> xface, HAProxyFactory<T> factory)
            throws IOException {
        super(conf, uri, xface, factory);
        this.inner = innerProvider(conf, uri, xface, new ForesightProxyFactory<>(factory));
    }

    @Override
    public ProxyInfo<T> getProxy() {
        return inner.getProxy();
    }

    @Override
    public void performFailover(T currentProxy) {
        inner.performFailover(currentProxy);
    }

    @Override
    public boolean useLogicalURI() {
        return inner.useLogicalURI();
    }

    @Override
    public Class<T> getInterface() {
        return inner.getInterface();
    }

    @Override
    public synchronized void setFallbackToSimpleAuth(AtomicBoolean fallback) {
        super.setFallbackToSimpleAuth(fallback);
        inner.setFallbackToSimpleAuth(fallback);
    }

    @Override
    public void close() throws IOException {
        inner.close();
    }

    private static <T> AbstractNNFailoverProxyProvider<T> innerProvider(
            Configuration conf, URI uri, Class<T> xface, HAProxyFactory<T> factory) throws IOException {
        String host = uri.getHost();
        for (String key :
                Arrays.asList(ClientKeys.INNER_PROVIDER.name() + "." + host, ClientKeys.INNER_PROVIDER.name())) {
            String name = conf.getTrimmed(key, "");
            if (!name.isEmpty()) {
                return named(key, name, conf, uri, xface, factory);
            }
        }
        Collection<String> nameNodes = DFSUtilClient.getNameNodeIds(conf, host);
        return nameNodes.isEmpty()
                ? new SingleNameNodeProvider<>(conf, uri, xface, factory)
                : new ConfiguredFailoverProxyProvider<>(conf, uri, xface, factory);
    }

    private static <T> AbstractNNFailoverProxyProvider<T> named(
            String key, String name, Configuration conf, URI uri, Class<T> xface, HAProxyFactory<T> factory)
            throws IOException {
        try {
            Object provider = conf.getClassByName(name)
                    .getConstructor(Configuration.class, URI.class, Class.class, HAProxyFactory.class)
                    .newInstance(conf, uri, xface, factory);
            if (provider instanceof AbstractNNFailoverProxyProvider) {
                @SuppressWarnings("unchecked")
                AbstractNNFailoverProxyProvider<T> typed = (AbstractNNFailoverProxyProvider<T>) provider;
                return typed;
            }
            throw new IOException(key + " is '" + name + "'; accepted is a class that extends "
                    + AbstractNNFailoverProxyProvider.class.getName());
        } catch (InvocationTargetException e) {
            throw new IOException(key + ": " + name + " could not be made", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IOException(
                    key + " is '" + name + "'; accepted is a failover proxy"
                            + " provider with the usual constructor (Configuration, URI, Class, HAProxyFactory)",
                    e);
        }
    }
}
