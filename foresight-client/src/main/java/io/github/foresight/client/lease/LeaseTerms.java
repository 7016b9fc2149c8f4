/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.lease;

import java.time.Duration;

/** How a client uses its leases. Immutable. */
public final class LeaseTerms {

    private final long leaseNanos;
    private final long parkMaxNanos;

    /**
     * Makes terms.
     *
     * @param lease how long a lease lasts at most, whatever the NameNode says
     * @param parkMax how long a call is parked at most
     */
    public LeaseTerms(Duration lease, Duration parkMax) {
        this.leaseNanos = lease.toNanos();
        this.parkMaxNanos = parkMax.toNanos();
    }

    long leaseNanos() {
        return leaseNanos;
    }

    long parkMaxNanos() {
        return parkMaxNanos;
    }
}
