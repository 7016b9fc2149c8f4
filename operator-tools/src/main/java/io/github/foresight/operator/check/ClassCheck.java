/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks that each class which the configuration names loads, and that HDFS can create an object of it. Not thread-safe. */
final class ClassCheck {

    private final NodeConfiguration configuration;
    private final NodeClasses classes;
    private final Findings findings;

    ClassCheck(NodeConfiguration configuration, NodeClasses classes, Findings findings) {
        this.configuration = configuration;
        this.classes = classes;
        this.findings = findings;
    }

    void run(Set<NodeRole> roles) throws IOException {
        for (String key : configuration.names()) {
            List<ClassKey> uses = roles.stream()
                    .flatMap(role -> role.classKeys().stream())
                    .filter(classKey -> classKey.matches(key))
                    .collect(Collectors.toList());
            if (!uses.isEmpty()) {
                for (String name : configuration.list(key)) {
                    if (uses.get(0).isClassName(name)) {
                        checkClass(uses, key, name);
                    }
                }
            }
        }
    }

    /**
     * Checks a class that a key names.
     *
     * @param uses at least one; the uses of this key by the roles, which differ in their consequence only
     */
    private void checkClass(List<ClassKey> uses, String key, String name) throws IOException {
        ClassKey classKey = uses.get(0);
        try {
            Class<?> named = classes.load(name);
            Optional<String> misfit = misfit(named, classKey);
            if (misfit.isPresent()) {
                unusable(uses, key, name + " " + misfit.get(), "name a class that fits, or remove the key.");
            } else if (!classes.isOnClasspath(named)) {
                checkAbsent(uses, key, name);
            } else {
                checkPlaces(key, name);
            }
        } catch (ClassNotFoundException e) {
            unusable(
                    uses,
                    key,
                    name + " is in no jar on the class path",
                    isForesights(name)
                            ? copy(classKey) + "."
                            : "put the jar that holds it on the class path (HADOOP_CLASSPATH in hadoop-env.sh), or"
                                    + " correct the name.");
        } catch (UnsupportedClassVersionError e) {
            unusable(
                    uses,
                    key,
                    name + " is compiled for a later Java than " + DaemonJava.running(),
                    "run the daemon on a later JDK.");
        } catch (LinkageError e) {
            unusable(
                    uses,
                    key,
                    name + " cannot be loaded because something that it needs is missing (" + e.getMessage() + ")",
                    "bring the jars of Hadoop and of this class to versions that fit.");
        }
    }

    /** The class is in a jar of the release that has not been copied. */
    private void checkAbsent(List<ClassKey> uses, String key, String name) {
        String absent = name + " is in this release's lib folder but not on the class path of this node's Hadoop";
        List<ClassKey> bound =
                uses.stream().filter(use -> !use.hasOtherClassPaths()).collect(Collectors.toList());
        if (bound.isEmpty()) {
            findings.warning(
                    key,
                    absent + "; if it is not on the applications' either, " + consequences(uses) + ".",
                    copy(uses.get(0)) + ", and onto the class path of applications that have their own.");
        } else {
            unusable(bound, key, absent, copy(uses.get(0)) + ".");
        }
    }

    private void unusable(List<ClassKey> uses, String key, String message, String remedy) {
        String finding = message + ": " + consequences(uses) + ".";
        if (uses.stream().anyMatch(use -> use.isLoaded(configuration))) {
            findings.wrong(key, finding, remedy);
        } else {
            findings.warning(key, finding, remedy);
        }
    }

    private static String consequences(List<ClassKey> uses) {
        return uses.stream().map(ClassKey::consequence).distinct().collect(Collectors.joining("; "));
    }

    static boolean isForesights(String className) {
        return className.startsWith("io.github.foresight.") || className.equals(DataNodeCheck.FORESIGHT_FACTORY);
    }

    private static String copy(ClassKey classKey) {
        return "copy lib/" + classKey.artifact() + ".jar to $HADOOP_HOME/share/hadoop/hdfs/lib/ (or add it to"
                + " HADOOP_CLASSPATH in hadoop-env.sh)";
    }

    private void checkPlaces(String key, String name) throws IOException {
        List<String> places = classes.places(name);
        if (places.size() > 1) {
            findings.warning(
                    key,
                    name + " is there " + places.size() + " times; the first counts: " + String.join(", ", places)
                            + ".",
                    "remove the others.");
        } else {
            findings.fine(key, name + " loads" + (places.isEmpty() ? "." : " from " + places.get(0) + "."));
        }
    }

    /** The reason why HDFS cannot create an object of a class, or empty. */
    private Optional<String> misfit(Class<?> named, ClassKey classKey) throws ClassNotFoundException {
        Class<?> superType = classes.loadBeside(named, classKey.superType());
        if (!superType.isAssignableFrom(named)) {
            return Optional.of("is no " + superType.getName());
        }
        Class<?>[] types = new Class<?>[classKey.constructorTypes().size()];
        for (int i = 0; i < types.length; i++) {
            types[i] = classes.loadBeside(named, classKey.constructorTypes().get(i));
        }
        try {
            Constructor<?> constructor =
                    classKey.publicConstructor() ? named.getConstructor(types) : named.getDeclaredConstructor(types);
            return Modifier.isAbstract(constructor.getDeclaringClass().getModifiers())
                    ? Optional.of("is abstract")
                    : Optional.empty();
        } catch (NoSuchMethodException e) {
            String shape = Arrays.stream(types).map(Class::getSimpleName).collect(Collectors.joining(", "));
            return Optional.of("has no " + (classKey.publicConstructor() ? "public " : "") + "constructor (" + shape
                    + "), by which HDFS makes it");
        }
    }
}
