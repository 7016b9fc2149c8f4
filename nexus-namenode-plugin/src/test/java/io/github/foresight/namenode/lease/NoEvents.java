/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.lease;

/** Counts nothing. */
class NoEvents implements LeaseListener {
    @Override
    public void granted() {}

    @Override
    public void grantRefused() {}

    @Override
    public void sessionRefused() {}

    @Override
    public void recalled(int sessions) {}

    @Override
    public void changeWaits() {}

    @Override
    public void changeReady(long waitedNanos) {}

    @Override
    public void changeRefused() {}

    @Override
    public void changeWithoutRights() {}

    @Override
    public void changeElsewhere() {}

    @Override
    public void parkRefused() {}

    @Override
    public void failed(Throwable cause) {}
}
