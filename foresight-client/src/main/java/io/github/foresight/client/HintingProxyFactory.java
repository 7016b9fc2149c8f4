/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import io.github.foresight.protocol.conf.InvalidValueException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB;
import org.apache.hadoop.hdfs.server.namenode.ha.HAProxyFactory;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes NameNode proxies as HDFS does and puts a {@link HintingTranslator} in the place of a client protocol's translator;
 * other protocols' proxies, and all where hints are off or misconfigured, are HDFS's own. Thread-safe.
 */
final class HintingProxyFactory<T> implements HAProxyFactory<T> {

    private static final Logger LOG = LoggerFactory.getLogger(HintingProxyFactory.class);

    private final HAProxyFactory<T> stock;

    HintingProxyFactory(HAProxyFactory<T> stock) {
        this.stock = stock;
    }

    @Override
    public T createProxy(
            Configuration conf,
            InetSocketAddress address,
            Class<T> xface,
            UserGroupInformation ugi,
            boolean withRetries,
            AtomicBoolean fallbackToSimpleAuth)
            throws IOException {
        return hinting(stock.createProxy(conf, address, xface, ugi, withRetries, fallbackToSimpleAuth), conf, ugi);
    }

    @Override
    public T createProxy(
            Configuration conf,
            InetSocketAddress address,
            Class<T> xface,
            UserGroupInformation ugi,
            boolean withRetries)
            throws IOException {
        return hinting(stock.createProxy(conf, address, xface, ugi, withRetries), conf, ugi);
    }

    @Override
    public void setAlignmentContext(AlignmentContext context) {
        stock.setAlignmentContext(context);
    }

    @SuppressWarnings("unchecked") // a translator of ClientProtocol is what T is where the stock factory made one
    private T hinting(T proxy, Configuration conf, UserGroupInformation ugi) {
        if (!(proxy instanceof ClientNamenodeProtocolTranslatorPB)) {
            return proxy;
        }
        try {
            ClientSettings settings = ClientSettings.read(conf);
            if (!settings.isEnabled()) {
                return proxy;
            }
            Object raw = ((ClientNamenodeProtocolTranslatorPB) proxy).getUnderlyingProxyObject();
            HintSender sender = new HintSender(settings, conf, ugi);
            return (T) new HintingTranslator((ClientNamenodeProtocolPB) raw, settings, sender);
        } catch (InvalidValueException e) {
            LOG.error("Foresight sends no hints: {}", e.getMessage());
            return proxy;
        } catch (RuntimeException | LinkageError e) {
            LOG.error("Foresight sends no hints; HDFS is used as it is", e);
            return proxy;
        }
    }
}
