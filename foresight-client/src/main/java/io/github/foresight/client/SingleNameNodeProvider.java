/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.server.namenode.ha.AbstractNNFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.HAProxyFactory;
import org.apache.hadoop.ipc.RPC;

/** A provider for one NameNode at a host and port: there is nothing to fail over to. Thread-safe. */
final class SingleNameNodeProvider<T> extends AbstractNNFailoverProxyProvider<T> {

    private final NNProxyInfo<T> nameNode;

    SingleNameNodeProvider(Configuration conf, URI uri, Class<T> xface, HAProxyFactory<T> factory) {
        super(conf, uri, xface, factory);
        this.nameNode = new NNProxyInfo<>(DFSUtilClient.getNNAddress(uri));
    }

    @Override
    public synchronized ProxyInfo<T> getProxy() {
        return createProxyIfNeeded(nameNode);
    }

    @Override
    public void performFailover(T currentProxy) {
        // The same NameNode is tried again.
    }

    @Override
    public boolean useLogicalURI() {
        return false;
    }

    @Override
    public synchronized void close() throws IOException {
        if (nameNode.proxy instanceof Closeable) {
            ((Closeable) nameNode.proxy).close();
        } else if (nameNode.proxy != null) {
            RPC.stopProxy(nameNode.proxy);
        }
    }
}
