/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LockableMemoryTest {

    private static final long MACHINE = 64L << 30;
    private static final String NO_CAPABILITIES = "CapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n";

    private static String limits(String soft) {
        return "Limit                     Soft Limit           Hard Limit           Units     \n"
                + "Max processes             96302                96302                processes \n"
                + "Max locked memory         " + soft + "              unlimited            bytes     \n"
                + "Max address space         unlimited            unlimited            bytes     \n";
    }

    @Test
    void process_withLimit_mayLockSoMuch() {
        LockableMemory memory = LockableMemory.parse(MACHINE, NO_CAPABILITIES, limits("8388608"));
        assertThat(memory.lockableBytes()).isEqualTo(8 << 20);
        assertThat(memory.machineBytes()).isEqualTo(MACHINE);
    }

    @Test
    void process_withoutLimit_mayLockTheMachine() {
        assertThat(LockableMemory.parse(MACHINE, NO_CAPABILITIES, limits("unlimited"))
                        .lockableBytes())
                .isEqualTo(MACHINE);
    }

    @Test
    void process_withLimitBeyondTheMachine_mayLockTheMachine() {
        assertThat(LockableMemory.parse(1 << 20, NO_CAPABILITIES, limits("8388608"))
                        .lockableBytes())
                .isEqualTo(1 << 20);
    }

    @Test
    void process_withIpcLockCapability_mayLockTheMachineWhateverTheLimit() {
        assertThat(LockableMemory.parse(MACHINE, "CapEff:\t0000000000004000\n", limits("0"))
                        .lockableBytes())
                .isEqualTo(MACHINE);
        assertThat(LockableMemory.parse(MACHINE, "CapEff:\tffffffffffffffff\n", limits("0"))
                        .lockableBytes())
                .isEqualTo(MACHINE);
    }

    @Test
    void process_withOtherCapabilitiesOnly_isLimited() {
        assertThat(LockableMemory.parse(MACHINE, "CapEff:\t000001ffffffbfff\n", limits("65536"))
                        .lockableBytes())
                .isEqualTo(65536);
    }

    @Test
    void proc_unreadable_letsNothingBeLocked() {
        assertThat(LockableMemory.parse(MACHINE, "", "").lockableBytes()).isZero();
    }

    @Test
    void proc_ofThisMachine_isUnderstood() {
        LockableMemory memory = LockableMemory.ofThisProcess();
        assertThat(memory.machineBytes()).isPositive();
        assertThat(memory.lockableBytes()).isBetween(0L, memory.machineBytes());
    }
}
