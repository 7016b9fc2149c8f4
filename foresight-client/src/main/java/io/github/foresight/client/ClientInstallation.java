/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import io.github.foresight.protocol.conf.ClientKeys;
import java.net.URI;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/** Installs Foresight's client in a copy of a configuration. Stateless. */
final class ClientInstallation {

    private static final String PROVIDER = HdfsClientConfigKeys.Failover.PROXY_PROVIDER_KEY_PREFIX + ".";
    private static final String BUILDERS = HdfsClientConfigKeys.REPLICA_ACCESSOR_BUILDER_CLASSES_KEY;

    private ClientInstallation() {}

    /**
     * A configuration with which HDFS's client calls a NameNode or nameservice through a {@link ForesightProxyProvider}.
     *
     * <p>A provider that the configuration names already becomes the inner one. Installing a second time changes nothing.
     *
     * @param conf stays as it is
     * @param uri of the file system; without a host, for which HDFS has an error of its own, nothing is installed
     */
    static Configuration in(Configuration conf, URI uri) {
        String host = uri.getHost();
        if (host == null) {
            return conf;
        }
        Configuration installed = new Configuration(conf);
        String provider = conf.getTrimmed(PROVIDER + host, "");
        String ours = ForesightProxyProvider.class.getName();
        if (!provider.isEmpty() && !provider.equals(ours)) {
            installed.set(ClientKeys.INNER_PROVIDER.name() + "." + host, provider);
        }
        installed.set(PROVIDER + host, ours);
        String[] builders = conf.getTrimmedStrings(BUILDERS);
        String observer = ReadObserver.class.getName();
        if (!Arrays.asList(builders).contains(observer)) {
            String[] more = Arrays.copyOf(builders, builders.length + 1);
            more[builders.length] = observer;
            installed.setStrings(BUILDERS, more);
        }
        return installed;
    }
}
