/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.metrics;

import org.apache.hadoop.hdfs.server.namenode.NamespaceReader;

/** Counts what happens while predicted files are read. Thread-safe. */
public final class ReaderEvents implements NamespaceReader.Events {

    private final NameNodeMetrics metrics;

    public ReaderEvents(NameNodeMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void yielded() {
        metrics.lockYields.incr();
    }

    @Override
    public void skipped() {
        metrics.skippedBusy.incr();
    }

    @Override
    public void limited() {
        metrics.limitedByPriority.incr();
    }
}
