/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.benchmarks.workload.SysbenchRequests.Mode;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class SysbenchRequestsTest {

    private static final int FILES = 3;
    private static final int PLACES = 5;

    private static List<Long> first(int count, SysbenchRequests requests) {
        return LongStream.range(0, count).map(i -> requests.next()).boxed().toList();
    }

    @Test
    void sequentialRequests_areEachPieceOfEachFileOnce_inOrder_thenEnd() {
        SysbenchRequests requests = new SysbenchRequests(Mode.SEQRD, FILES, PLACES, 1);

        for (int file = 0; file < FILES; file++) {
            for (int place = 0; place < PLACES; place++) {
                long request = requests.next();
                assertThat(requests.file(request)).isEqualTo(file);
                assertThat(requests.place(request)).isEqualTo(place);
            }
        }
        assertThat(requests.next()).isEqualTo(-1);
    }

    @Test
    void sequentialRequests_ofSeveralThreads_areNeverTheSame() {
        SysbenchRequests requests = new SysbenchRequests(Mode.SEQRD, FILES, PLACES, 1);

        assertThat(IntStream.range(0, FILES * PLACES).parallel().mapToObj(i -> requests.next()))
                .doesNotHaveDuplicates()
                .doesNotContain(-1L);
    }

    @Test
    void randomRequests_reachAllFiles_andTheSameSeedGivesTheSameOrder() {
        int count = 1000;
        List<Long> order = first(count, new SysbenchRequests(Mode.RNDRD, FILES, PLACES, 7));

        assertThat(order).allMatch(request -> request >= 0 && request < FILES * PLACES);
        assertThat(order.stream().distinct()).hasSize(FILES * PLACES);
        assertThat(first(count, new SysbenchRequests(Mode.RNDRD, FILES, PLACES, 7)))
                .isEqualTo(order);
        assertThat(first(count, new SysbenchRequests(Mode.RNDRD, FILES, PLACES, 8)))
                .isNotEqualTo(order);
    }
}
