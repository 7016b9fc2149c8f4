/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** The configuration of one cluster's client in a process that is a client of several clusters. Stateless. */
final class ClientConfiguration {

    private static final List<String> FILES = List.of("core-site.xml", "hdfs-site.xml");

    private ClientConfiguration() {}

    /** Hadoop's defaults, the configuration on the class path, and over them the files of a folder. */
    static Configuration in(Path folder) {
        Configuration conf = new Configuration();
        for (String file : FILES) {
            conf.addResource(new org.apache.hadoop.fs.Path(folder.resolve(file).toUri()));
        }
        return conf;
    }
}
