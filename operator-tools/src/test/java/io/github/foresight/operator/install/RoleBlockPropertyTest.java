/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever a cluster's configuration file looks like, a role comes in once and leaves nothing behind. */
class RoleBlockPropertyTest {

    private static final SiteText FRAGMENT = new SiteText("""
            <configuration>
              <property>
                <name>dfs.namenode.plugins</name>
                <value>io.github.foresight.Plugin</value>
                <description>Learns.</description>
              </property>
              <property>
                <name>dfs.namenode.audit.loggers</name>
                <value>default,io.github.foresight.Logger</value>
              </property>
              <property>
                <name>foresight.namenode.group</name>
                <value>16</value>
              </property>
            </configuration>
            """);

    private final RoleBlock block = new RoleBlock(InstalledRole.NAMENODE, FRAGMENT);

    @Property
    void enabledTwice_isEnabledOnce(@ForAll("sites") String site) {
        SiteText once = block.enabled(new SiteText(site), properties(site)).text();
        SiteText twice = block.enabled(once, properties(once.toString())).text();
        assertThat(twice).hasToString(once.toString());
    }

    @Property
    void enabled_hasAllClassesAndAllOtherProperties(@ForAll("sites") String site) {
        RoleBlock.Change change = block.enabled(new SiteText(site), properties(site));
        Map<String, String> read = properties(change.text().toString());
        assertThat(change.properties()).isEqualTo(read);
        assertThat(read.get("dfs.namenode.plugins").split(",")).containsOnlyOnce("io.github.foresight.Plugin");
        assertThat(read.get("dfs.namenode.audit.loggers").split(",")).containsOnlyOnce("io.github.foresight.Logger");
        assertThat(read).containsKey("foresight.namenode.group");
        properties(site).forEach((key, value) -> assertThat(read.get(key)).startsWith(value));
    }

    @Property
    void disabledAfterEnabled_isTheFileByteForByte(@ForAll("sites") String site) {
        SiteText enabled = block.enabled(new SiteText(site), properties(site)).text();
        RoleBlock.Change disabled = block.disabled(enabled, properties(enabled.toString()));
        assertThat(disabled.text()).hasToString(site);
        assertThat(disabled.properties()).isEqualTo(properties(site));
    }

    private static Map<String, String> properties(String site) {
        Map<String, String> read = new LinkedHashMap<>();
        new SiteText(site).properties().forEach(property -> read.put(property.name, property.value));
        return read;
    }

    @Provide
    Arbitrary<String> sites() {
        Map<String, Arbitrary<String>> values = ImmutableMap.of(
                "dfs.namenode.plugins", Arbitraries.of("org.example.Other", "org.example.A, org.example.B"),
                "dfs.namenode.audit.loggers", Arbitraries.of("default", "org.example.Logger"),
                "foresight.namenode.group", Arbitraries.of("16", "8"),
                "dfs.replication", Arbitraries.of("3", "&lt;3&gt;"));
        Arbitrary<String> property = Combinators.combine(
                        Arbitraries.of(values.keySet())
                                .flatMap(key -> values.get(key).map(value -> List.of(key, value))),
                        Arbitraries.of("  ", "\t", "\n    "))
                .as((keyAndValue, space) -> "<property>" + space + "<name>" + keyAndValue.get(0) + "</name>" + space
                        + "<value>" + space + keyAndValue.get(1) + space + "</value>" + space + "</property>");
        Arbitrary<String> comment = Arbitraries.of(
                "<!-- <property><name>dfs.namenode.plugins</name><value>none</value></property> -->", "<!-- a -->");
        return Arbitraries.oneOf(property, property, comment)
                .list()
                .ofMaxSize(6)
                .flatMap(parts -> Arbitraries.of("\n", "\n  ", "")
                        .map(between -> "<?xml version=\"1.0\"?>\n<configuration>\n" + String.join(between, parts)
                                + "\n</configuration>\n"));
    }
}
