/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The moment when a client asks for the group after the group that it uses. */
class NextGroupTriggerTest {

    private final NextGroupTrigger trigger = new NextGroupTrigger();

    @Property
    void group_isFollowedByOneRequest_whileMostOfItIsStillToCome(@ForAll @IntRange(min = 8, max = 1000) int files) {
        NextGroupTrigger next = new NextGroupTrigger();
        int group = next.granted(files);
        int asked = 0;
        int usedBefore = 0;
        for (int i = 1; i <= files; i++) {
            if (next.used(group)) {
                asked++;
                usedBefore = i;
            }
        }
        assertThat(asked).isEqualTo(1);
        assertThat(usedBefore).isBetween(files / 4, files / 4 + 1);
    }

    @Property
    void smallGroup_isNotWorthARequest(@ForAll @IntRange(min = 1, max = 7) int files) {
        NextGroupTrigger next = new NextGroupTrigger();
        int group = next.granted(files);
        for (int i = 0; i < files; i++) {
            assertThat(next.used(group)).isFalse();
        }
    }

    @Test
    void stragglersOfAnEarlierGroup_askForNothing() {
        int first = trigger.granted(8);
        trigger.granted(8);
        for (int i = 0; i < 8; i++) {
            assertThat(trigger.used(first)).isFalse();
        }
    }

    @Test
    void answerWithoutNewFiles_isNotAskedForAgain() {
        int group = trigger.granted(8);
        assertThat(trigger.used(group)).isFalse();
        assertThat(trigger.used(group)).isTrue();
        assertThat(trigger.granted(0)).isEqualTo(group);
        for (int i = 2; i < 8; i++) {
            assertThat(trigger.used(group)).isFalse();
        }
    }

    @Test
    void clientWithoutAGroup_asksForNone() {
        assertThat(trigger.used(trigger.granted(0))).isFalse();
    }
}
