/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.hadoop.io.nativeio.NativeIO;

/**
 * Lets a DataNode start with {@code dfs.datanode.max.locked.memory} without Hadoop's native library. The agent installs the replacement that
 * Hadoop's own tests use. HDFS then locks no memory and only counts bytes, which is sufficient for memory disks.
 */
public final class NoMlockAgent {

    private NoMlockAgent() {}

    /** Called by the JVM before the daemon's main class. */
    public static void premain(String arguments) {
        NativeIO.POSIX.setCacheManipulator(new NativeIO.POSIX.NoMlockCacheManipulator());
    }

    /** Makes a jar with this agent, and returns the JVM option that loads the jar. */
    static String option(Path folder) throws IOException {
        Path jar = folder.resolve("no-mlock.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", NoMlockAgent.class.getName());
        String entry = NoMlockAgent.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream in = NoMlockAgent.class.getClassLoader().getResourceAsStream(entry)) {
            out.putNextEntry(new JarEntry(entry));
            in.transferTo(out);
        }
        return "-javaagent:" + jar;
    }
}
