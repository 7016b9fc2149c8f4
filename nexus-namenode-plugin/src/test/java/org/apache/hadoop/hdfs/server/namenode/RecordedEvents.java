/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the events of a {@link NamespaceReader}. */
final class RecordedEvents implements NamespaceReader.Events {

    final AtomicInteger yields = new AtomicInteger();
    final AtomicInteger skips = new AtomicInteger();
    final AtomicInteger limits = new AtomicInteger();

    @Override
    public void yielded() {
        yields.incrementAndGet();
    }

    @Override
    public void skipped() {
        skips.incrementAndGet();
    }

    @Override
    public void limited() {
        limits.incrementAndGet();
    }
}
