/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a lock that is held for some tens of nanoseconds, unless its holder lost its processor. After
 * {@value #SPINS} tries the waiter yields its processor; the number is chosen, not measured. Stateless.
 */
final class Spin {

    private static final int SPINS = 1000;

    /** {@code Thread.onSpinWait}, which exists since Java 9; null on Java 8. */
    private static final @Nullable MethodHandle ON_SPIN_WAIT = onSpinWait();

    private Spin() {}

    /**
     * Pauses between two tries.
     *
     * @param tries the number of failed tries
     */
    @SuppressWarnings("ThreadPriorityCheck") // a holder that lost its processor gets it back sooner
    static void pause(int tries) {
        if (tries % SPINS == 0) {
            Thread.yield();
        } else {
            hint();
        }
    }

    private static void hint() {
        if (ON_SPIN_WAIT != null) {
            try {
                ON_SPIN_WAIT.invokeExact();
            } catch (Throwable e) {
                throw new IllegalStateException("Thread.onSpinWait", e);
            }
        }
    }

    private static @Nullable MethodHandle onSpinWait() {
        try {
            return MethodHandles.publicLookup()
                    .findStatic(Thread.class, "onSpinWait", MethodType.methodType(void.class));
        } catch (ReflectiveOperationException java8) {
            return null;
        }
    }
}
