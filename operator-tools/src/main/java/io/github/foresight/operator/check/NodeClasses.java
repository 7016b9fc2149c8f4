/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import com.google.common.collect.ImmutableList;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The classes that a daemon will find, apart from those of this process; and in addition the classes of a release that is not
 * installed yet.
 *
 * <p>Nothing is initialised when it is loaded: no code of the daemon's runs.
 */
final class NodeClasses implements Closeable {

    private final List<Path> classpath;
    private final URLClassLoader node;
    private final URLClassLoader withRelease;

    private NodeClasses(List<Path> classpath, URLClassLoader node, URLClassLoader withRelease) {
        this.classpath = classpath;
        this.node = node;
        this.withRelease = withRelease;
    }

    /**
     * The classes of a class path.
     *
     * @param classpath as a JVM takes it, with {@code folder/*} for all jars of a folder
     * @param lib the release's jars, or a folder that is not there
     */
    static NodeClasses of(String classpath, Path lib) throws IOException {
        List<Path> entries = expand(classpath);
        List<Path> withRelease = new ArrayList<>(entries);
        withRelease.addAll(jars(lib));
        // The platform's; the extensions' on Java 8.
        ClassLoader platform = ClassLoader.getSystemClassLoader().getParent();
        return new NodeClasses(
                entries, new URLClassLoader(urls(entries), platform), new URLClassLoader(urls(withRelease), platform));
    }

    /**
     * A class as the daemon would find it; or, where the daemon would not, as it would with the release's jars at the end of its
     * class path. One loader loads both, because classes of the release use package-private members of Hadoop.
     */
    Class<?> load(String name) throws ClassNotFoundException {
        try {
            return Class.forName(name, false, node);
        } catch (ClassNotFoundException e) {
            return Class.forName(name, false, withRelease);
        }
    }

    /** A class as another that was loaded sees it. */
    Class<?> loadBeside(Class<?> loaded, String name) throws ClassNotFoundException {
        return Class.forName(name, false, isOnClasspath(loaded) ? node : withRelease);
    }

    /** Whether the daemon's own class path contains a loaded class. */
    boolean isOnClasspath(Class<?> loaded) {
        return loaded.getClassLoader() != withRelease;
    }

    /** The jars and folders of the daemon's class path that hold a class, in order. */
    List<String> places(String className) throws IOException {
        String resource = className.replace('.', '/') + ".class";
        Set<String> places = new LinkedHashSet<>();
        for (URL url : Collections.list(node.findResources(resource))) {
            places.add(url.toString().replaceFirst("^jar:", "").replaceFirst("!?/?" + "\\Q" + resource + "\\E$", ""));
        }
        return ImmutableList.copyOf(places);
    }

    /** The jars and folders of the class path; empty if nothing that it names is there. */
    List<Path> classpath() {
        return classpath;
    }

    /** The version of hadoop-common on the class path, or null where there is none. */
    @Nullable
    String hadoopVersion() throws IOException {
        try (InputStream in = node.getResourceAsStream("common-version-info.properties")) {
            if (in == null) {
                return null;
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        }
    }

    @Override
    public void close() throws IOException {
        withRelease.close();
        node.close();
    }

    private static List<Path> expand(String classpath) throws IOException {
        List<Path> entries = new ArrayList<>();
        for (String entry : classpath.split(File.pathSeparator, -1)) {
            if (entry.endsWith(File.separator + "*")) {
                entries.addAll(jars(Paths.get(entry.substring(0, entry.length() - 2))));
            } else if (!entry.isEmpty() && Files.exists(Paths.get(entry))) {
                entries.add(Paths.get(entry));
            }
        }
        return entries;
    }

    private static List<Path> jars(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return ImmutableList.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .collect(Collectors.toList());
        }
    }

    private static URL[] urls(List<Path> entries) throws MalformedURLException {
        URL[] urls = new URL[entries.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = entries.get(i).toUri().toURL();
        }
        return urls;
    }
}
