/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import com.github.benmanes.caffeine.cache.Ticker;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.hint.HintSender;
import io.github.foresight.client.hint.OpenFiles;
import io.github.foresight.client.metadata.MetadataCache;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.protocol.conf.ClientKeys;
import io.github.foresight.protocol.conf.InvalidValueException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB;
import org.apache.hadoop.hdfs.server.namenode.ha.HAProxyFactory;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes NameNode proxies as HDFS does and puts a {@link ForesightTranslator} in the place of a client protocol's translator;
 * other protocols' proxies, and all where everything is off or misconfigured, are HDFS's own. Thread-safe.
 */
public final class ForesightProxyFactory<T> implements HAProxyFactory<T> {

    private static final Logger LOG = LoggerFactory.getLogger(ForesightProxyFactory.class);

    private final HAProxyFactory<T> stock;

    @GuardedBy("this")
    private @Nullable MetadataCache cache;

    /** Makes proxies around those of HDFS's factory. */
    public ForesightProxyFactory(HAProxyFactory<T> stock) {
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
        return foresighted(
                stock.createProxy(conf, address, xface, ugi, withRetries, fallbackToSimpleAuth), conf, address, ugi);
    }

    @Override
    public T createProxy(
            Configuration conf,
            InetSocketAddress address,
            Class<T> xface,
            UserGroupInformation ugi,
            boolean withRetries)
            throws IOException {
        return foresighted(stock.createProxy(conf, address, xface, ugi, withRetries), conf, address, ugi);
    }

    @Override
    public void setAlignmentContext(AlignmentContext context) {
        stock.setAlignmentContext(context);
    }

    /** One for the NameNodes of a nameservice, which answer alike. */
    private synchronized @Nullable MetadataCache cache(ClientSettings settings) {
        if (cache == null && settings.keepsLayouts() && PendingCall.canWithdraw()) {
            cache = new MetadataCache(settings, Ticker.systemTicker(), waits(settings));
        }
        return cache;
    }

    private static BooleanSupplier waits(ClientSettings settings) {
        return settings.get(ClientKeys.DATA_WAIT).isZero() ? () -> true : OpenFiles.INSTANCE.waits()::isWaiting;
    }

    @SuppressWarnings("unchecked") // a translator of ClientProtocol is what T is where the stock factory made one
    private T foresighted(T proxy, Configuration conf, InetSocketAddress address, UserGroupInformation ugi) {
        if (!(proxy instanceof ClientNamenodeProtocolTranslatorPB)) {
            return proxy;
        }
        try {
            ClientSettings settings = ClientSettings.read(conf);
            if (!settings.isEnabled()) {
                return proxy;
            }
            ClientNamenodeProtocolPB raw =
                    (ClientNamenodeProtocolPB) ((ClientNamenodeProtocolTranslatorPB) proxy).getUnderlyingProxyObject();
            HintSender sender = new HintSender(settings, conf, ugi);
            return (T) ForesightTranslator.over(raw, address, settings, sender, cache(settings));
        } catch (InvalidValueException e) {
            LOG.error("Foresight stays off: {}", e.getMessage());
            return proxy;
        } catch (RuntimeException | LinkageError e) {
            LOG.error("Foresight stays off; HDFS is used as it is", e);
            return proxy;
        }
    }
}
