/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.scratch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ScratchPoolTest {

    @Test
    void borrow_afterGivingBack_isTheSameAgain() {
        ScratchPool<Object> pool = new ScratchPool<>(Object::new);
        Object first = pool.borrow();
        assertThat(pool.borrow()).as("while it is borrowed").isNotSameAs(first);
        pool.giveBack(first);
        assertThat(pool.borrow()).isSameAs(first);
    }

    /** More threads than slots, so that some share one. */
    @Test
    void manyThreads_neverHaveTheSameOne() throws Exception {
        AtomicInteger made = new AtomicInteger();
        ScratchPool<AtomicBoolean> pool = new ScratchPool<>(() -> {
            made.incrementAndGet();
            return new AtomicBoolean();
        });
        int threads = 100;
        int times = 2000;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Integer>> tasks = IntStream.range(0, threads)
                    .<Callable<Integer>>mapToObj(thread -> () -> {
                        int shared = 0;
                        for (int i = 0; i < times; i++) {
                            AtomicBoolean busy = pool.borrow();
                            shared += busy.compareAndSet(false, true) ? 0 : 1;
                            busy.set(false);
                            pool.giveBack(busy);
                        }
                        return shared;
                    })
                    .collect(Collectors.toList());
            for (var shared : executor.invokeAll(tasks)) {
                assertThat(shared.get()).isZero();
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(made.get()).as("made, of %d borrowed", threads * times).isLessThan(threads * times / 10);
    }
}
