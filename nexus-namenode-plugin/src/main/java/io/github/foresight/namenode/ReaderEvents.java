/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import com.google.common.util.concurrent.RateLimiter;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what happens while predicted files are read; logs a file's failure at most once in ten seconds. Thread-safe. */
final class ReaderEvents implements NamespaceReader.Events {

    private static final Logger LOG = LoggerFactory.getLogger(ReaderEvents.class);

    private final NameNodeMetrics metrics;
    private final RateLimiter logRate = RateLimiter.create(0.1);

    ReaderEvents(NameNodeMetrics metrics) {
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
    public void failed(Throwable cause) {
        if (logRate.tryAcquire()) {
            LOG.warn("A predicted file could not be read and is left out", cause);
        }
    }
}
