/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

/** Spreads similar numbers over all bits: the finalizer of MurmurHash3. Stateless. */
final class Hash {

    private Hash() {}

    static long of(long number) {
        long hash = number;
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }
}
