/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import com.google.common.collect.ImmutableList;
import java.util.List;

/** A configuration key of HDFS that names classes; HDFS makes their objects by reflection. Immutable. */
final class ClassKey {

    private static final String CONFIGURATION = "org.apache.hadoop.conf.Configuration";

    private final String name;
    private final String artifact;
    private final String superType;
    private final boolean publicConstructor;
    private final List<String> constructorTypes;
    private final String consequence;
    private final String condition;
    private final boolean otherClassPaths;
    private final String word;

    private ClassKey(
            String name,
            String artifact,
            String superType,
            boolean publicConstructor,
            List<String> constructorTypes,
            String consequence) {
        this.name = name;
        this.artifact = artifact;
        this.superType = superType;
        this.publicConstructor = publicConstructor;
        this.constructorTypes = ImmutableList.copyOf(constructorTypes);
        this.consequence = consequence;
        this.condition = "";
        this.otherClassPaths = false;
        this.word = "";
    }

    private ClassKey(ClassKey key, String condition, boolean otherClassPaths, String word) {
        this.name = key.name;
        this.artifact = key.artifact;
        this.superType = key.superType;
        this.publicConstructor = key.publicConstructor;
        this.constructorTypes = key.constructorTypes;
        this.consequence = key.consequence;
        this.condition = condition;
        this.otherClassPaths = otherClassPaths;
        this.word = word;
    }

    /**
     * A key for Hadoop's {@code ReflectionUtils}, which uses a constructor without parameters, public or not.
     *
     * @param artifact the release's jar with the class that Foresight has for this key
     */
    static ClassKey reflective(String name, String artifact, String superType, String consequence) {
        return new ClassKey(name, artifact, superType, false, ImmutableList.of(), consequence);
    }

    /** A key for a public constructor without parameters. */
    static ClassKey plain(String name, String artifact, String superType, String consequence) {
        return new ClassKey(name, artifact, superType, true, ImmutableList.of(), consequence);
    }

    /** A key for the constructor of a failover proxy provider; a key that ends in a dot stands for all keys with this prefix. */
    static ClassKey provider(String name, String artifact, String consequence) {
        return new ClassKey(
                name,
                artifact,
                "org.apache.hadoop.io.retry.FailoverProxyProvider",
                true,
                ImmutableList.of(
                        CONFIGURATION,
                        "java.net.URI",
                        "java.lang.Class",
                        "org.apache.hadoop.hdfs.server.namenode.ha.HAProxyFactory"),
                consequence);
    }

    /** Made by Hadoop for {@code FileContext}: by a constructor with a URI and a configuration, public or not. */
    static ClassKey fileContext(String name, String artifact, String consequence) {
        return new ClassKey(
                name,
                artifact,
                "org.apache.hadoop.fs.AbstractFileSystem",
                false,
                ImmutableList.of("java.net.URI", CONFIGURATION),
                consequence);
    }

    /** This key, for a role that loads the classes only if another key is set to a value other than zero. */
    ClassKey onlyWhere(String otherKey) {
        return new ClassKey(this, otherKey, otherClassPaths, word);
    }

    /** This key, for processes that may have another class path than this node's Hadoop. */
    ClassKey onOtherClassPaths() {
        return new ClassKey(this, condition, true, word);
    }

    /** This key, with a word that stands for a class of HDFS. */
    ClassKey besides(String hdfsWord) {
        return new ClassKey(this, condition, otherClassPaths, hdfsWord);
    }

    /** Whether HDFS takes a value of the key as the name of a class. */
    boolean isClassName(String value) {
        return !value.equals(word);
    }

    /** Whether a role with this configuration loads the classes. */
    boolean isLoaded(NodeConfiguration configuration) {
        if (condition.isEmpty()) {
            return true;
        }
        String value = configuration.get(condition);
        return value != null && !value.isEmpty() && !value.equals("0");
    }

    boolean hasOtherClassPaths() {
        return otherClassPaths;
    }

    /** The release's jar with the class that Foresight has for this key, without its ending. */
    String artifact() {
        return artifact;
    }

    boolean matches(String key) {
        return name.endsWith(".") ? key.startsWith(name) && key.length() > name.length() : key.equals(name);
    }

    /** The type that its classes must extend or implement. */
    String superType() {
        return superType;
    }

    boolean publicConstructor() {
        return publicConstructor;
    }

    List<String> constructorTypes() {
        return constructorTypes;
    }

    /** The consequence if HDFS cannot make an object of the class, in half a sentence. */
    String consequence() {
        return consequence;
    }
}
