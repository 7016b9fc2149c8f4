/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.caller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CallStackTest {

    private static List<String> asked(int frames) {
        List<String> asked = new ArrayList<>();
        Object none = CallStack.first(frames, (type, method) -> {
            asked.add(type.substring(type.lastIndexOf('.') + 1) + "." + method);
            return null;
        });
        assertThat(none).isNull();
        return asked;
    }

    @Test
    void frames_areAskedFromTheCallerOutwards() {
        assertThat(asked(2))
                .containsExactly("CallStackTest.asked", "CallStackTest.frames_areAskedFromTheCallerOutwards");
    }

    @Test
    void framesBeyondTheLimit_areNotAsked() {
        assertThat(asked(1)).containsExactly("CallStackTest.asked");
        assertThat(asked(Integer.MAX_VALUE)).hasSizeGreaterThan(2);
    }

    @Test
    void firstThatSaysSomething_endsTheSearch() {
        List<String> asked = new ArrayList<>();
        String said = CallStack.first(Integer.MAX_VALUE, (type, method) -> {
            asked.add(method);
            return method;
        });
        assertThat(said).isEqualTo("firstThatSaysSomething_endsTheSearch");
        assertThat(asked).containsExactly(said);
    }
}
