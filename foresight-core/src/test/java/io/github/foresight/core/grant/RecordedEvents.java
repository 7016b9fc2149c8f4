/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.grant;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the events of a table. */
final class RecordedEvents implements GrantTable.Events {

    final AtomicLong invalidated = new AtomicLong();
    final AtomicLong overflowed = new AtomicLong();
    final AtomicLong crowded = new AtomicLong();
    final AtomicLong forgotten = new AtomicLong();

    @Override
    public void invalidated() {
        invalidated.incrementAndGet();
    }

    @Override
    public void overflowed() {
        overflowed.incrementAndGet();
    }

    @Override
    public void crowded(long grants) {
        crowded.addAndGet(grants);
    }

    @Override
    public void forgotten() {
        forgotten.incrementAndGet();
    }
}
