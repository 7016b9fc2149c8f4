/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.caller;

import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The methods that the calling thread is in. On Java 8 the whole stack is copied; from Java 9 on another class of this name takes its
 * place, by {@code StackWalker}, from this jar's {@code META-INF/versions/11}. Stateless.
 */
public final class CallStack {

    private CallStack() {}

    /**
     * The first result of a function of a frame's class and method, from the caller's frame outwards.
     *
     * @param frames the number of frames that are looked at, at most
     * @return null if the function has no result for any of them
     */
    public static <T> @Nullable T first(int frames, BiFunction<String, String, @Nullable T> of) {
        StackTraceElement[] stack = new Throwable().getStackTrace();
        // The first frame is this method's.
        for (int i = 1; i < stack.length && i <= frames; i++) {
            T result = of.apply(stack[i].getClassName(), stack[i].getMethodName());
            if (result != null) {
                return result;
            }
        }
        return null;
    }
}
