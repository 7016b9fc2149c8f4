/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClassesAheadTest {

    private static final AtomicBoolean INITIALIZED = new AtomicBoolean();

    /** Notes that it is initialized. */
    static final class Initialized {
        static {
            INITIALIZED.set(true);
        }
    }

    static Stream<String> names() {
        return ClassesAhead.names().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void each_isThere(String name) {
        assertThatCode(() -> ClassesAhead.link(name)).doesNotThrowAnyException();
    }

    @Test
    void link_doesNotInitialize() throws ReflectiveOperationException {
        ClassesAhead.link(ClassesAheadTest.class.getName() + "$Initialized");

        assertThat(INITIALIZED).isFalse();
    }

    /** Named by a method, and used nowhere. */
    static final class Named {}

    /** Has a method that names a class. */
    interface Naming {
        Named named();
    }

    /** Loads all classes of the tests anew. */
    private static final class Loader extends URLClassLoader {
        Loader() throws MalformedURLException {
            super(classPath(), ClassLoader.getPlatformClassLoader());
        }

        private static URL[] classPath() throws MalformedURLException {
            List<URL> urls = new ArrayList<>();
            for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
                urls.add(Path.of(part).toUri().toURL());
            }
            return urls.toArray(new URL[0]);
        }

        boolean hasLoaded(Class<?> type) {
            return findLoadedClass(type.getName()) != null;
        }
    }

    @Test
    void link_ofAnInterface_loadsTheClassesThatItsMethodsName() throws ReflectiveOperationException, IOException {
        try (Loader loader = new Loader()) {
            Method link = loader.loadClass(ClassesAhead.class.getName()).getDeclaredMethod("link", String.class);
            link.setAccessible(true);
            assertThat(loader.hasLoaded(Named.class)).isFalse();

            link.invoke(null, Naming.class.getName());

            assertThat(loader.hasLoaded(Named.class)).isTrue();
        }
    }

    @Test
    void link_ofAClassThatIsMissing_saysSo() {
        assertThatThrownBy(() -> ClassesAhead.link("org.apache.hadoop.hdfs.Missing"))
                .isInstanceOf(ClassNotFoundException.class);
    }
}
