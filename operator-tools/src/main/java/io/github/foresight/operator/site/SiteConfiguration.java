/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.jspecify.annotations.Nullable;

/** Reads the configuration of a cluster. Stateless. */
public final class SiteConfiguration {

    private SiteConfiguration() {}

    /**
     * HDFS's defaults, the files on the class path, and those in a folder.
     *
     * @param folder with {@code core-site.xml} and {@code hdfs-site.xml}; null for the class path alone
     * @throws IOException if one of the two is not there or cannot be read
     */
    public static HdfsConfiguration read(@Nullable Path folder) throws IOException {
        HdfsConfiguration configuration = new HdfsConfiguration();
        if (folder != null) {
            for (String name : new String[] {"core-site.xml", "hdfs-site.xml"}) {
                Path file = folder.resolve(name);
                if (!Files.isReadable(file)) {
                    throw new IOException(file + " is not there or cannot be read");
                }
                configuration.addResource(file.toUri().toURL());
            }
        }
        return configuration;
    }
}
