/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.ipc.CallerContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests of a client to a NameNode for which no reader waits. */
class BackgroundTest {

    private final Background background = new Background();

    @AfterEach
    void close() {
        CallerContext.setCurrent(null);
        background.close();
    }

    @Test
    void request_saysWhatItsThreadWouldSay() throws Exception {
        CompletableFuture<CallerContext> said = new CompletableFuture<>();
        CallerContext.setCurrent(new CallerContext.Builder("job_1").build());
        assertThat(background.offer(() -> said.complete(CallerContext.getCurrent())))
                .isTrue();
        assertThat(said.get(20, TimeUnit.SECONDS).getContext()).isEqualTo("job_1");
    }

    @Test
    void whileOneIsUnderWay_othersAreRefused_andNotAfterwards() {
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        assertThat(background.offer(() -> {
                    try {
                        ended.complete(end.await(20, TimeUnit.SECONDS));
                    } catch (InterruptedException e) {
                        ended.completeExceptionally(e);
                    }
                }))
                .isTrue();
        assertThat(background.offer(() -> {})).isFalse();
        end.countDown();
        assertThat(ended.join()).isTrue();
        Awaitility.await().until(() -> background.offer(() -> {}));
    }

    @Test
    void afterTheEnd_nothingIsAsked() {
        background.close();
        assertThat(background.offer(() -> {})).isFalse();
    }
}
