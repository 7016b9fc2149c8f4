/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Atomic access to the ints of a direct buffer, for Java 11 and later. The class of this name for Java 8 documents the
 * methods.
 *
 * <p>The memory orders are those of {@link VarHandle}. Stateless.
 */
final class BufferInts {

    private static final VarHandle INTS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private BufferInts() {}

    static ByteBuffer allocate(int bytes, int alignment) {
        ByteBuffer aligned = ByteBuffer.allocateDirect(bytes + alignment).alignedSlice(alignment);
        return aligned.limit(bytes).slice().order(ByteOrder.nativeOrder());
    }

    static int getOpaque(ByteBuffer buffer, int place) {
        return (int) INTS.getOpaque(buffer, place);
    }

    static int getAcquire(ByteBuffer buffer, int place) {
        return (int) INTS.getAcquire(buffer, place);
    }

    static void setOpaque(ByteBuffer buffer, int place, int value) {
        INTS.setOpaque(buffer, place, value);
    }

    static void setRelease(ByteBuffer buffer, int place, int value) {
        INTS.setRelease(buffer, place, value);
    }

    static boolean compareAndSet(ByteBuffer buffer, int place, int expected, int value) {
        return INTS.compareAndSet(buffer, place, expected, value);
    }

    static void storeStoreFence() {
        VarHandle.storeStoreFence();
    }

    static void acquireFence() {
        VarHandle.acquireFence();
    }
}
