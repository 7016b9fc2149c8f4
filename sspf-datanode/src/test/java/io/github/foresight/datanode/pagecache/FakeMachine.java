/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

/** Machines with as much memory as a test says. */
public final class FakeMachine {

    private FakeMachine() {}

    /** A machine on which a process without capabilities may lock some of the memory. */
    public static LockableMemory of(long machineBytes, long lockLimitBytes) {
        return LockableMemory.parse(
                machineBytes,
                "",
                "Max locked memory         " + lockLimitBytes + "   " + lockLimitBytes + "   bytes\n");
    }
}
