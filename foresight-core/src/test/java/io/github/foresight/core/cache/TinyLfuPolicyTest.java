/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TinyLfuPolicyTest {

    private static final long PAGE = 4 << 10;

    private final BlockList<String> caching = new BlockList<>();
    private final TinyLfuPolicy<String> policy = new TinyLfuPolicy<>(caching, 200 * PAGE, 2 * PAGE);
    private final Map<String, Block<String>> blocks = new HashMap<>();

    /**
     * Fifty blocks that were seen twice, after other blocks have made Caffeine full enough to count. Its window holds
     * two.
     */
    @BeforeEach
    void fill() {
        for (int i = 0; i < 140; i++) {
            add("passing" + i);
        }
        for (int i = 0; i < 50; i++) {
            add("n" + i);
            remove("n" + i);
            add("n" + i);
        }
        for (int i = 0; i < 140; i++) {
            remove("passing" + i);
        }
    }

    @Test
    void victimChunk_nothingOfItHitInPeriod_staysAsSampled() {
        assertThat(hit("n20")).isFalse();
        add("x");
        add("y");
        assertThat(hit("x")).isFalse();
    }

    @Test
    void victimChunk_newPeriod_holdsTheColdestBlocks() {
        assertThat(hit("n20")).isFalse();
        add("x");
        add("y");
        policy.beginPeriod();
        assertThat(hit("x")).as("x, seen once, at the head of the window").isTrue();
    }

    @Test
    void victimChunk_itsBlocksLeave_isSampledAnew() {
        assertThat(hit("n20")).isFalse();
        for (String key : List.of("n0", "n1", "n48", "n49")) {
            remove(key);
        }
        assertThat(hit("n2")).as("now the coldest").isTrue();
    }

    @Test
    void coldest_othersHitOften_isOneSeenOnce() {
        for (int i = 0; i < 50; i++) {
            hit("n" + i);
        }
        add("x");
        add("y");
        assertThat(policy.coldest()).isIn(blocks.get("x"), blocks.get("y"));
    }

    @Test
    void coldest_empty_isNull() {
        for (int i = 0; i < 50; i++) {
            remove("n" + i);
        }
        assertThat(policy.coldest()).isNull();
        add("a");
        assertThat(policy.coldest()).isSameAs(blocks.get("a"));
    }

    private void add(String key) {
        Block<String> block = new Block<>(key, PAGE, 0, 0);
        block.queue = MultiQueueCache.Queue.CACHING;
        blocks.put(key, block);
        caching.append(block);
        assertThat(policy.add(block)).isEmpty();
    }

    private boolean hit(String key) {
        return policy.hit(blocks.get(key));
    }

    private void remove(String key) {
        Block<String> block = blocks.remove(key);
        caching.remove(block);
        policy.remove(block);
    }
}
