/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.containers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Future;
import org.testcontainers.images.builder.ImageFromDockerfile;

/**
 * An image of stock Hadoop from its Maven artifacts. The folder {@link #RELEASE} holds an unpacked release of Foresight, which the stock
 * installation does not use.
 */
final class HadoopImage {

    static final String LIB = "/opt/hadoop/share/hadoop/hdfs/lib";
    static final String CONF = "/etc/hadoop/conf";
    static final String RELEASE = "/opt/foresight";

    private static final ConcurrentMap<String, Future<String>> IMAGES = new ConcurrentHashMap<>();

    private HadoopImage() {}

    /**
     * Returns the image upon another image. It is built at its first use; {@code src/test/sh/containers stop} removes it.
     *
     * @param base an image with a Java runtime
     */
    static Future<String> upon(String base) {
        return IMAGES.computeIfAbsent(base, HadoopImage::image);
    }

    private static Future<String> image(String base) {
        String classpath = CONF + ":" + LIB + "/*";
        ImageFromDockerfile image = new ImageFromDockerfile()
                .withFileFromPath("foresight", Path.of(System.getProperty("foresight.release")))
                .withFileFromClasspath("conf", "hadoop-conf")
                .withDockerfileFromBuilder(file -> file.from(base)
                        .label(ContainerEngine.label())
                        .copy("hadoop", LIB)
                        .copy("conf", CONF)
                        .copy("foresight", RELEASE)
                        .env("CLASSPATH", classpath)
                        .env("HADOOP_CLASSPATH", classpath)
                        .build());
        for (String jar : hadoopClasspath().split(File.pathSeparator)) {
            Path path = Path.of(jar);
            image.withFileFromPath("hadoop/" + path.getFileName(), path);
        }
        return image;
    }

    private static String hadoopClasspath() {
        try {
            return Files.readString(Path.of(System.getProperty("foresight.hadoop.classpath.file")))
                    .trim();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
