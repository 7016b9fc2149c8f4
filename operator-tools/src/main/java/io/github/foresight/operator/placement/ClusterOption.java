/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that name a cluster and a path in it. */
final class ClusterOption {

    @Parameters(paramLabel = "PATH", description = "A file or a directory, with all below it.")
    @SuppressWarnings("NullAway.Init")
    String path;

    @Option(
            names = "--conf",
            description =
                    "The folder with hdfs-site.xml and core-site.xml; if not given, what is on the class path of 'hadoop'.")
    @Nullable
    Path conf;
}
