/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import org.apache.hadoop.ipc.Client;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The call that Hadoop's retry handler has prepared on this thread, and which the RPC client would make. If a call is answered without
 * being made, its preparation has to be undone: Hadoop refuses to prepare another one over it. Stateless.
 */
final class PendingCall {

    private static final Logger LOG = LoggerFactory.getLogger(PendingCall.class);
    private static final @Nullable MethodHandle WITHDRAW = find();

    private PendingCall() {}

    /** Whether calls can be withdrawn, on this version of Hadoop. */
    static boolean canWithdraw() {
        return WITHDRAW != null;
    }

    /** Withdraws the call that was prepared on this thread; {@link #canWithdraw()} must be true. */
    static void withdraw() {
        if (WITHDRAW == null) {
            throw new IllegalStateException("calls cannot be withdrawn");
        }
        try {
            WITHDRAW.invoke();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable MethodHandle find() {
        try {
            return fromHadoop34();
        } catch (ReflectiveOperationException before34) {
            try {
                return upToHadoop33();
            } catch (ReflectiveOperationException | RuntimeException e) {
                LOG.warn("This version of Hadoop is unknown; Foresight caches no layouts", e);
                return null;
            }
        }
    }

    private static MethodHandle fromHadoop34() throws ReflectiveOperationException {
        MethodHandle set = MethodHandles.publicLookup()
                .findStatic(
                        Client.class,
                        "setCallIdAndRetryCountUnprotected",
                        MethodType.methodType(void.class, Integer.class, int.class, Object.class));
        return MethodHandles.insertArguments(set, 0, null, 0, null);
    }

    private static MethodHandle upToHadoop33() throws ReflectiveOperationException {
        Field callId = Client.class.getDeclaredField("callId");
        callId.setAccessible(true);
        MethodHandle remove = MethodHandles.publicLookup()
                .findVirtual(ThreadLocal.class, "remove", MethodType.methodType(void.class));
        return remove.bindTo(callId.get(null));
    }
}
