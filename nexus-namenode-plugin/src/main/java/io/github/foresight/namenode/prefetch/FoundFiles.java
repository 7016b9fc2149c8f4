/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.prefetch;

import io.github.foresight.namenode.guard.Feature;
import io.github.foresight.namenode.guard.Features;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.ReadableFile;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.Refusal;

/**
 * Receives the files that are read for one feature. It counts refusals, and reports the failure of a file as a failure of the
 * feature. Not thread-safe.
 */
final class FoundFiles implements NamespaceReader.Answers {

    private final Feature feature;
    private final Consumer<ReadableFile> readable;
    private final Features features;
    private final NameNodeMetrics metrics;

    /**
     * Makes a receiver.
     *
     * @param readable takes each file that the caller may read
     */
    FoundFiles(Feature feature, Consumer<ReadableFile> readable, Features features, NameNodeMetrics metrics) {
        this.feature = feature;
        this.readable = readable;
        this.features = features;
        this.metrics = metrics;
    }

    @Override
    public void readable(ReadableFile file) {
        readable.accept(file);
    }

    @Override
    public void refused(Refusal reason) {
        metrics.refused(reason);
    }

    @Override
    public void failed(Throwable cause) {
        features.failed(feature, cause);
    }
}
