/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.SessionId;
import io.github.foresight.core.window.WindowTable.Decision;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WindowTableTest {

    private static final SessionId ONE = new SessionId(1, 1);
    private static final SessionId TWO = new SessionId(2, 1);
    private static final BlockKey BLOCK = new BlockKey("pool", 1);

    private final WindowTable table = new WindowTable(8, 100, 1000, bytes -> bytes);

    private static BlockExtent part(long begin, long end) {
        return new BlockExtent(BLOCK, 1, Extent.of(begin, end));
    }

    private List<String> move(SessionId id, long begin, long end) {
        return move(table, id, begin, end);
    }

    @Test
    void table_windowMoves_loadsAndGivesUpTheDifference() {
        assertThat(move(ONE, 10, 30)).containsExactly("LOAD [10, 30)");
        assertThat(move(ONE, 15, 40)).containsExactly("GIVE_UP [10, 15)", "LOAD [30, 40)");
        assertThat(move(ONE, 0, 60)).containsExactly("LOAD [0, 15)", "LOAD [40, 60)");
        assertThat(table.usedBytes()).isEqualTo(60);
    }

    @Test
    void table_lacksRoom_letsTheLeastRecentlyMovedGo() {
        move(ONE, 0, 60);
        assertThat(move(TWO, 0, 60)).containsExactly("GIVE_UP [0, 60)", "LOAD [0, 60)");
        assertThat(table.windowCount()).isOne();
        assertThat(table.evictions()).isOne();
        assertThat(table.wanted(ONE, part(0, 10))).isEqualTo(Extent.EMPTY);
        assertThat(table.wanted(TWO, part(50, 70))).isEqualTo(Extent.of(50, 60));
    }

    @Test
    void table_windowLargerThanEverything_isRefusedAndTheOldOneGoes() {
        move(ONE, 50, 60);
        List<Decision> decisions = new ArrayList<>();
        boolean taken = table.moved(ONE, List.of(part(0, 101)), 0, decisions);

        assertThat(taken).isFalse();
        assertThat(decisions).singleElement().asString().startsWith("GIVE_UP").contains("[50, 60)");
        assertThat(table.usedBytes()).isZero();
    }

    @Test
    void table_blockOfAnotherGeneration_isLoadedAnew() {
        move(ONE, 0, 10);
        List<Decision> decisions = new ArrayList<>();
        table.moved(ONE, List.of(new BlockExtent(BLOCK, 2, Extent.of(0, 10))), 0, decisions);

        assertThat(decisions).extracting(Decision::kind).containsExactly(Decision.Kind.GIVE_UP, Decision.Kind.LOAD);
    }

    @Test
    void callerAboveItsShareOfBytes_yieldsToAnother() {
        WindowTable shared = new WindowTable(8, 100, 0.5, 1000, bytes -> bytes);
        SessionId modest = new SessionId(2, 20, 1);
        assertThat(move(shared, modest, 0, 20)).containsExactly("LOAD [0, 20)");
        for (int client = 0; client < 4; client++) {
            move(shared, new SessionId(1, client, 1), 0, 20);
        }
        assertThat(shared.windowCount()).as("one caller may take all free room").isEqualTo(5);
        move(shared, new SessionId(1, 5, 1), 0, 20);
        assertThat(shared.isHeld(modest))
                .as("moved least recently, but not of its caller")
                .isTrue();
        assertThat(shared.isHeld(new SessionId(1, 0, 1))).isFalse();

        move(shared, new SessionId(2, 21, 1), 0, 30);
        assertThat(shared.isHeld(modest)).isTrue();
        assertThat(shared.isHeld(new SessionId(1, 1, 1))).isFalse();
        assertThat(shared.isHeld(new SessionId(1, 2, 1))).isFalse();
        assertThat(shared.usedBytes()).isEqualTo(90);
        shared.clear();
        assertThat(shared.usedBytes()).isZero();
    }

    @Test
    void callerAboveItsShareOfWindows_yieldsToAnother() {
        WindowTable shared = new WindowTable(4, 1000, 0.5, 1000, bytes -> bytes);
        move(shared, new SessionId(2, 20, 1), 0, 1);
        for (int client = 0; client < 10; client++) {
            move(shared, new SessionId(1, client, 1), 0, 1);
        }
        assertThat(shared.isHeld(new SessionId(2, 20, 1))).isTrue();
        move(shared, new SessionId(3, 30, 1), 0, 1);
        assertThat(shared.isHeld(new SessionId(1, 7, 1))).isFalse();
        assertThat(shared.isHeld(new SessionId(1, 8, 1))).isTrue();
        move(shared, new SessionId(3, 31, 1), 0, 1);
        assertThat(shared.isHeld(new SessionId(2, 20, 1)))
                .as("nobody is beyond the share: the one moved least recently goes")
                .isFalse();
    }

    private static List<String> move(WindowTable table, SessionId id, long begin, long end) {
        List<Decision> decisions = new ArrayList<>();
        table.moved(id, List.of(part(begin, end)), 0, decisions);
        return decisions.stream()
                .map(decision -> decision.kind() + " " + decision.part().extent())
                .toList();
    }
}
