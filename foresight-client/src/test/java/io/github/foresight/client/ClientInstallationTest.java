/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ClientInstallationTest {

    private static final String PROVIDER = "dfs.client.failover.proxy.provider.";
    private static final String INNER = "foresight.client.proxy.provider.";
    private static final String OBSERVERS = "dfs.client.replica.accessor.builder.classes";
    private static final String OURS = "io.github.foresight.client.ForesightProxyProvider";
    private static final String CONFIGURED =
            "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider";
    private static final URI NAMESERVICE = URI.create("hdfs://ns1/");

    private final Configuration conf = new Configuration(false);

    @Test
    void plainHost_getsTheProviderAndTheObserver_inACopy() {
        Configuration installed = ClientInstallation.in(conf, URI.create("hdfs://host:8020/"));
        assertThat(installed.get(PROVIDER + "host")).isEqualTo(OURS);
        assertThat(installed.get(INNER + "host")).isNull();
        assertThat(installed.get(OBSERVERS)).isEqualTo("io.github.foresight.client.ReadObserver");
        assertThat(conf.size()).isZero();
    }

    @Test
    void providerOfANameservice_becomesTheInnerOne() {
        conf.set(PROVIDER + "ns1", CONFIGURED);
        conf.set(PROVIDER + "ns2", CONFIGURED);
        conf.set(INNER + "ns1", "left.from.an.earlier.Installation");
        Configuration installed = ClientInstallation.in(conf, NAMESERVICE);
        assertThat(installed.get(PROVIDER + "ns1")).isEqualTo(OURS);
        assertThat(installed.get(INNER + "ns1")).isEqualTo(CONFIGURED);
        assertThat(installed.get(PROVIDER + "ns2")).as("of another nameservice").isEqualTo(CONFIGURED);
    }

    @Test
    void installationByKeys_staysAsItIs() {
        conf.set(PROVIDER + "ns1", OURS);
        conf.set("foresight.client.proxy.provider", CONFIGURED);
        conf.set(OBSERVERS, "a.Builder, io.github.foresight.client.ReadObserver");
        Configuration installed = ClientInstallation.in(conf, NAMESERVICE);
        installed.forEach(entry -> assertThat(conf.get(entry.getKey())).isEqualTo(entry.getValue()));
        assertThat(installed.size()).isEqualTo(conf.size());
    }

    @Test
    void observer_comesAfterOthers() {
        conf.set(OBSERVERS, "a.Builder");
        assertThat(ClientInstallation.in(conf, NAMESERVICE).getStrings(OBSERVERS))
                .containsExactly("a.Builder", "io.github.foresight.client.ReadObserver");
    }

    @Test
    void uriWithoutAHost_isLeftToHdfs() {
        assertThat(ClientInstallation.in(conf, URI.create("hdfs:///"))).isSameAs(conf);
    }
}
