/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.check;

import java.util.List;

/** A configuration key of HDFS that names classes which HDFS makes by reflection; immutable. */
final class ClassKey {

    private static final String CONFIGURATION = "org.apache.hadoop.conf.Configuration";

    private final String name;
    private final String superType;
    private final boolean publicConstructor;
    private final List<String> constructorTypes;
    private final String consequence;

    private ClassKey(
            String name,
            String superType,
            boolean publicConstructor,
            List<String> constructorTypes,
            String consequence) {
        this.name = name;
        this.superType = superType;
        this.publicConstructor = publicConstructor;
        this.constructorTypes = List.copyOf(constructorTypes);
        this.consequence = consequence;
    }

    /** Made by Hadoop's {@code ReflectionUtils}: by a constructor without parameters, public or not. */
    static ClassKey reflective(String name, String superType, String consequence) {
        return new ClassKey(name, superType, false, List.of(), consequence);
    }

    /** Made by a public constructor without parameters. */
    static ClassKey plain(String name, String superType, String consequence) {
        return new ClassKey(name, superType, true, List.of(), consequence);
    }

    /** Made by the constructor of a failover proxy provider; keys that end in a dot stand for all that begin so. */
    static ClassKey provider(String name, String consequence) {
        return new ClassKey(
                name,
                "org.apache.hadoop.io.retry.FailoverProxyProvider",
                true,
                List.of(
                        CONFIGURATION,
                        "java.net.URI",
                        "java.lang.Class",
                        "org.apache.hadoop.hdfs.server.namenode.ha.HAProxyFactory"),
                consequence);
    }

    boolean matches(String key) {
        return name.endsWith(".") ? key.startsWith(name) && key.length() > name.length() : key.equals(name);
    }

    /** What its classes must extend or implement. */
    String superType() {
        return superType;
    }

    boolean publicConstructor() {
        return publicConstructor;
    }

    List<String> constructorTypes() {
        return constructorTypes;
    }

    /** What happens if its class cannot be made, in half a sentence. */
    String consequence() {
        return consequence;
    }
}
