/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.caller;

import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The methods that the calling thread is in, for Java 11 and later. The class of this name for Java 8 says what both do. Stateless.
 */
public final class CallStack {

    private static final StackWalker WALKER = StackWalker.getInstance();

    private CallStack() {}

    public static <T> @Nullable T first(int frames, BiFunction<String, String, @Nullable T> of) {
        // The first frame is this method's.
        return WALKER.walk(stack -> stack.skip(1)
                .limit(frames)
                .map(frame -> of.apply(frame.getClassName(), frame.getMethodName()))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null));
    }
}
