/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Atomic access to the ints of a direct buffer, by {@code sun.misc.Unsafe}. On Java 11 and later, another class of this
 * name from this jar's {@code META-INF/versions/11} takes its place and uses {@code VarHandle}s. The names of the
 * memory orders are those of {@code VarHandle}; here some orders are stronger.
 *
 * <p>A place is an offset in the buffer and a multiple of four. A place outside of the buffer causes an
 * {@link IndexOutOfBoundsException}. Stateless.
 */
final class BufferInts {

    private static final MethodHandle GET_VOLATILE;
    private static final MethodHandle PUT_ORDERED;
    private static final MethodHandle COMPARE_AND_SWAP;
    private static final MethodHandle STORE_FENCE;
    private static final MethodHandle LOAD_FENCE;
    private static final MethodHandle GET_LONG;

    /** The offset in a buffer object of the field that holds the memory's address. */
    private static final long ADDRESS;

    static {
        try {
            Class<?> type = Class.forName("sun.misc.Unsafe");
            Field instance = type.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            Object unsafe = instance.get(null);
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            GET_VOLATILE =
                    lookup.bind(unsafe, "getIntVolatile", MethodType.methodType(int.class, Object.class, long.class));
            PUT_ORDERED = lookup.bind(
                    unsafe, "putOrderedInt", MethodType.methodType(void.class, Object.class, long.class, int.class));
            COMPARE_AND_SWAP = lookup.bind(
                    unsafe,
                    "compareAndSwapInt",
                    MethodType.methodType(boolean.class, Object.class, long.class, int.class, int.class));
            STORE_FENCE = lookup.bind(unsafe, "storeFence", MethodType.methodType(void.class));
            LOAD_FENCE = lookup.bind(unsafe, "loadFence", MethodType.methodType(void.class));
            GET_LONG = lookup.bind(unsafe, "getLong", MethodType.methodType(long.class, Object.class, long.class));
            ADDRESS = (long) lookup.bind(unsafe, "objectFieldOffset", MethodType.methodType(long.class, Field.class))
                    .invoke(Buffer.class.getDeclaredField("address"));
        } catch (Throwable e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private BufferInts() {}

    /**
     * Makes a direct buffer of native byte order. The address of its first byte is a multiple of the alignment, which
     * is a power of two.
     */
    static ByteBuffer allocate(int bytes, int alignment) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes + alignment);
        int past = (int) (address(buffer) & (alignment - 1));
        buffer.position(past == 0 ? 0 : alignment - past);
        buffer.limit(buffer.position() + bytes);
        return buffer.slice().order(ByteOrder.nativeOrder());
    }

    static int getOpaque(ByteBuffer buffer, int place) {
        return getAcquire(buffer, place);
    }

    static int getAcquire(ByteBuffer buffer, int place) {
        try {
            return (int) GET_VOLATILE.invokeExact((Object) null, address(buffer, place));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static void setOpaque(ByteBuffer buffer, int place, int value) {
        setRelease(buffer, place, value);
    }

    static void setRelease(ByteBuffer buffer, int place, int value) {
        try {
            PUT_ORDERED.invokeExact((Object) null, address(buffer, place), value);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static boolean compareAndSet(ByteBuffer buffer, int place, int expected, int value) {
        try {
            return (boolean) COMPARE_AND_SWAP.invokeExact((Object) null, address(buffer, place), expected, value);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static void storeStoreFence() {
        try {
            STORE_FENCE.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static void acquireFence() {
        try {
            LOAD_FENCE.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static long address(ByteBuffer buffer, int place) {
        if (place < 0 || place > buffer.limit() - Integer.BYTES) {
            throw new IndexOutOfBoundsException(place + " is not in a buffer of " + buffer.limit() + " bytes");
        }
        return address(buffer) + place;
    }

    private static long address(ByteBuffer buffer) {
        try {
            return (long) GET_LONG.invokeExact((Object) buffer, ADDRESS);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static RuntimeException unexpected(Throwable e) {
        if (e instanceof IndexOutOfBoundsException) {
            return (IndexOutOfBoundsException) e;
        }
        return new IllegalStateException("sun.misc.Unsafe", e);
    }
}
