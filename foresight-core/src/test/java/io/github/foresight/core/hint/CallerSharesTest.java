/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The part of the tables that a caller keeps while other callers need room. */
class CallerSharesTest extends ReadAheadFixture {

    private static final long GREEDY = 1;
    private static final long MODEST = 2;
    private static final long THIRD = 3;

    private int hint(long caller, long client, int blocks) {
        return readAhead
                .hint(
                        new SessionId(caller, client, 0),
                        new Reader("client " + client, null),
                        blocks(0, blocks),
                        true,
                        now)
                .accepted();
    }

    private void share(double share, int sessions, int blocks) {
        readAhead = readAhead(
                cache,
                ReadAheadSettings.builder()
                        .maxSessions(sessions)
                        .maxTrackedBlocks(blocks)
                        .callerShare(share));
    }

    @Test
    void callerAlone_takesTheWholeTable() {
        share(0.25, 8, 100);
        for (int client = 0; client < 8; client++) {
            assertThat(hint(GREEDY, 10 + client, 1)).isOne();
        }
        assertThat(hint(GREEDY, 20, 1)).as("its own are too young").isZero();
        assertThat(readAhead.sessionCount()).isEqualTo(8);
    }

    @Test
    void callerAboveItsShare_yieldsUntilItHasItsShare() {
        share(0.5, 4, 100);
        for (int client = 0; client < 4; client++) {
            hint(GREEDY, 10 + client, 1);
        }
        assertThat(hint(MODEST, 20, 1)).isOne();
        assertThat(hint(MODEST, 21, 1)).isOne();
        assertThat(hint(MODEST, 22, 1)).as("it has its share").isZero();
        assertThat(hint(THIRD, 30, 1)).as("no caller is above its share").isZero();
        assertThat(readAhead.progress(new SessionId(GREEDY, 12, 0))).isPresent();
        assertThat(readAhead.progress(new SessionId(GREEDY, 13, 0))).isPresent();
        assertThat(readAhead.yieldedSessions()).isEqualTo(2);
    }

    @Test
    void callerBeyondItsShare_sessionsBeingRead_makeWayLast() {
        share(0.5, 2, 100);
        hint(GREEDY, 10, 1);
        hint(GREEDY, 11, 1);
        Reader first = new Reader("client 10", null);
        Reader second = new Reader("client 11", null);
        readAhead.streamOpened(key(0), 1, 1, first, now);
        assertThat(hint(MODEST, 20, 1)).isOne();
        assertThat(readAhead.progress(new SessionId(GREEDY, 11, 0))).isEmpty();
        readAhead.release(new SessionId(MODEST, 20, 0), now);
        hint(GREEDY, 11, 1);
        readAhead.streamOpened(key(0), 1, 2, second, now);
        assertThat(hint(MODEST, 20, 1)).isOne();
        assertThat(readAhead.progress(new SessionId(GREEDY, 10, 0))).isEmpty();
    }

    @Test
    void callerWithItsShare_endsNoSessionOfOthers() {
        share(0.5, 4, 100);
        readAhead.hint(new SessionId(MODEST, 20, 0), BOB, blocks(0, 1), true, now);
        for (int client = 0; client < 3; client++) {
            hint(GREEDY, 10 + client, 1);
        }
        now = ReadAheadSettings.builder().build().yieldNanos();
        assertThat(hint(GREEDY, 13, 1)).isOne();
        assertThat(readAhead.progress(new SessionId(MODEST, 20, 0)))
                .as("the session that has been quiet for longest")
                .isPresent();
        assertThat(readAhead.progress(new SessionId(GREEDY, 10, 0))).isEmpty();
    }

    @Test
    void callerAboveItsShareOfBlocks_yields() {
        share(0.5, 100, 8);
        assertThat(hint(GREEDY, 10, 4)).isEqualTo(4);
        assertThat(hint(GREEDY, 11, 4)).isEqualTo(4);
        assertThat(hint(MODEST, 20, 3)).isEqualTo(3);
        assertThat(readAhead.progress(new SessionId(GREEDY, 10, 0))).isEmpty();
        assertThat(readAhead.sessionBlockCount()).isEqualTo(7);
        assertThat(hint(GREEDY, 11, 6)).as("free room is for each caller").isEqualTo(5);
    }

    /** A caller within its share always gets room, whatever happened before. */
    @Test
    void callerWithinItsShare_alwaysFindsRoom() {
        share(0.25, 16, 64);
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            now++;
            long caller = random.nextInt(3);
            long client = 100 * caller + random.nextInt(20);
            if (random.nextInt(4) == 0) {
                readAhead.release(new SessionId(caller, client, 0), now);
            } else {
                hint(caller, client, 1 + random.nextInt(4));
            }
            if (i % 50 == 0) {
                long newcomer = 1_000L + i;
                assertThat(hint(newcomer, newcomer, 1)).as("at %s", i).isOne();
                readAhead.release(new SessionId(newcomer, newcomer, 0), now);
            }
            assertThat(readAhead.sessionCount()).isLessThanOrEqualTo(16);
            assertThat(readAhead.sessionBlockCount()).isBetween(0, 64);
        }
        readAhead.clear();
        assertThat(readAhead.sessionBlockCount()).isZero();
    }
}
