/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads this jar's own classes before a hint needs them, in a thread of its own. A class that is loaded later is read from the jar while others
 * wait, readers among them. The jar may be on a disk that readers of data keep busy, and may have left the page cache. Then the class comes
 * after all that the disk has to read before: in seconds.
 *
 * <p>Each class is loaded and verified, and none is initialized. Of the libraries within the jar, only what every hint uses is loaded. Where
 * the classes are not in a jar, nothing is done.
 */
final class OwnClasses implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(OwnClasses.class);
    private static final String SUFFIX = ".class";
    private static final ImmutableList<String> PACKAGES =
            ImmutableList.of("io/github/foresight/", "org/apache/hadoop/");
    private static final String LIBRARIES = "io/github/foresight/shaded/";

    @Override
    public void run() {
        try {
            File place = new File(OwnClasses.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            if (place.isFile()) {
                link(namesIn(place));
                Collection<Integer> unused = Stream.of(1, 2).collect(ImmutableSet.toImmutableSet());
            }
        } catch (IOException | URISyntaxException | RuntimeException e) {
            LOG.debug("Foresight's classes are not loaded ahead", e);
        }
    }

    /** The names of a jar's classes, without those of libraries. */
    @VisibleForTesting
    static ImmutableList<String> namesIn(File jar) throws IOException {
        try (JarFile open = new JarFile(jar)) {
            return open.stream()
                    .map(JarEntry::getName)
                    .filter(OwnClasses::isOwn)
                    .map(name ->
                            name.substring(0, name.length() - SUFFIX.length()).replace('/', '.'))
                    .collect(ImmutableList.toImmutableList());
        }
    }

    private static boolean isOwn(String entry) {
        return entry.endsWith(SUFFIX)
                && !entry.startsWith(LIBRARIES)
                && PACKAGES.stream().anyMatch(entry::startsWith);
    }

    /**
     * Loads and verifies classes. A class for another version of Hadoop is left out.
     *
     * @return the names of those left out
     */
    @VisibleForTesting
    static ImmutableList<String> link(Collection<String> names) {
        ImmutableList.Builder<String> leftOut = ImmutableList.builder();
        for (String name : names) {
            try {
                // The JVM verifies a class before it names the constructors.
                Object[] unused = Class.forName(name, false, OwnClasses.class.getClassLoader())
                        .getDeclaredConstructors();
            } catch (ReflectiveOperationException | LinkageError e) {
                LOG.debug("{} is not loaded ahead", name, e);
                leftOut.add(name);
            }
        }
        return leftOut.build();
    }
}
