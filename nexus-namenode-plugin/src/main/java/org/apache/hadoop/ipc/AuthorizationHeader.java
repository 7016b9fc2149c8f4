/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.ipc;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The header of an RPC that a thread has besides the caller context while the thread handles the RPC, from Hadoop 3.5 on ({@code
 * org.apache.hadoop.security.AuthorizationContext}). Earlier versions have none, so nothing is kept there. Thread-safe.
 */
final class AuthorizationHeader {

    private static final MethodType GET = MethodType.methodType(byte[].class);
    private static final MethodType SET = MethodType.methodType(void.class, byte[].class);
    private static final MethodType CLEAR = MethodType.methodType(void.class);

    /** The header of the Hadoop version on the class path. */
    static final AuthorizationHeader OF_HADOOP = find();

    private final MethodHandle get;
    private final MethodHandle set;
    private final MethodHandle clear;

    private AuthorizationHeader(MethodHandle get, MethodHandle set, MethodHandle clear) {
        this.get = get;
        this.set = set;
        this.clear = clear;
    }

    private static AuthorizationHeader find() {
        try {
            return of(Class.forName("org.apache.hadoop.security.AuthorizationContext"));
        } catch (ReflectiveOperationException upTo34) {
            MethodHandle none = MethodHandles.constant(byte[].class, null);
            MethodHandle nothing = MethodHandles.constant(Object.class, null).asType(CLEAR);
            return new AuthorizationHeader(
                    none, MethodHandles.dropArguments(nothing, 0, SET.parameterType(0)), nothing);
        }
    }

    /** The header that a class with the methods of Hadoop's keeps. */
    static AuthorizationHeader of(Class<?> context) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        return new AuthorizationHeader(
                lookup.findStatic(context, "getCurrentAuthorizationHeader", GET),
                lookup.findStatic(context, "setCurrentAuthorizationHeader", SET),
                lookup.findStatic(context, "clear", CLEAR));
    }

    /** This thread's header, or null. */
    byte @Nullable [] current() {
        try {
            return (byte[]) get.invokeExact();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("an RPC's authorization header could not be read", e);
        }
    }

    /** This thread has the header from now on. */
    void set(byte @Nullable [] header) {
        try {
            set.invokeExact(header);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("an RPC's authorization header could not be set", e);
        }
    }

    /** This thread has no header any longer. */
    void clear() {
        try {
            clear.invokeExact();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("an RPC's authorization header could not be removed", e);
        }
    }
}
