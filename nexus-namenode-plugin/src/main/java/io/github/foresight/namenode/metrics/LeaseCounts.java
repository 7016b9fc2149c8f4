/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.metrics;

import io.github.foresight.namenode.lease.LeaseListener;

/** {@link LeaseListener} as {@link NameNodeMetrics}. Thread-safe. */
public final class LeaseCounts implements LeaseListener {

    private final NameNodeMetrics metrics;

    public LeaseCounts(NameNodeMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void granted() {
        metrics.layoutsGranted.incr();
    }

    @Override
    public void grantRefused() {
        metrics.layoutsNotGranted.incr();
    }

    @Override
    public void sessionRefused() {
        metrics.leasesRefused.incr();
    }

    @Override
    public void recalled(int sessions) {
        metrics.recalls.incr(sessions);
    }

    @Override
    public void changeWaits() {
        metrics.changesWaited.incr();
    }

    @Override
    public void changeReady(long waitedNanos) {
        metrics.waited(waitedNanos);
    }

    @Override
    public void changeRefused() {
        metrics.changesRefused.incr();
    }

    @Override
    public void changeWithoutRights() {
        metrics.changesWithoutRights.incr();
    }

    @Override
    public void changeElsewhere() {
        metrics.changesByOtherWays.incr();
    }

    @Override
    public void parkRefused() {
        metrics.parkRefused.incr();
    }

    @Override
    public void failed(Throwable cause) {
        metrics.internalErrors.incr();
    }
}
