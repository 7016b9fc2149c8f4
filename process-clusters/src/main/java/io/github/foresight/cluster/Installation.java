/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import io.github.foresight.protocol.conf.HadoopXml;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An operator's additions to a stock process: jars on its class path and properties in its configuration. Immutable. */
public final class Installation {

    /** Nothing: the process as Hadoop ships it. */
    public static final Installation STOCK = new Installation(List.of(), Map.of());

    private final List<Path> jars;
    private final Map<String, String> conf;

    private Installation(List<Path> jars, Map<String, String> conf) {
        this.jars = List.copyOf(jars);
        this.conf = Collections.unmodifiableMap(new LinkedHashMap<>(conf));
    }

    /** One jar and the properties of one configuration fragment. */
    public static Installation of(Path jar, Path fragment) throws IOException {
        return new Installation(List.of(jar), HadoopXml.read(fragment));
    }

    /** This installation and another in one process; properties of the other replace properties of this one. */
    public Installation and(Installation other) {
        List<Path> allJars = new ArrayList<>(jars);
        allJars.addAll(other.jars);
        Map<String, String> all = new LinkedHashMap<>(conf);
        all.putAll(other.conf);
        return new Installation(allJars, all);
    }

    /** This installation with a property set. */
    public Installation with(String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(conf);
        changed.put(name, value);
        return new Installation(jars, changed);
    }

    public List<Path> jars() {
        return jars;
    }

    public Map<String, String> conf() {
        return conf;
    }
}
