/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The methods that the calling thread is in. On Java 8 the whole stack is copied; from Java 9 on another class of this name takes its
 * place, by {@code StackWalker}, from this jar's {@code META-INF/versions/11}. Stateless.
 */
final class CallStack {

    private CallStack() {}

    /**
     * What a function says of a frame, by the names of its class and its method: of the caller's first, outwards, until it says something.
     *
     * @param frames how many it is asked of at most
     * @return null if it says nothing of any
     */
    static <T> @Nullable T first(int frames, BiFunction<String, String, @Nullable T> of) {
        StackTraceElement[] stack = new Throwable().getStackTrace();
        // The first frame is this method's.
        for (int i = 1; i < stack.length && i <= frames; i++) {
            T said = of.apply(stack[i].getClassName(), stack[i].getMethodName());
            if (said != null) {
                return said;
            }
        }
        return null;
    }
}
