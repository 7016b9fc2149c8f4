/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.foresight.core.graph.Usefulness;
import io.github.foresight.namenode.settings.NameNodeSettings;
import io.github.foresight.protocol.conf.NameNodeKeys;

/** How predictions have ended, by user, so that a client can mislead none but its own. Thread-safe. */
public final class UsefulnessByUser {

    private static final int USERS_MAX = 10_000;

    /** Of a class's predictions that only just fall short one in so many is made all the same. */
    private static final int PROBE_INTERVAL = 6;

    /** Predictions of a class after which its counts are halved. */
    private static final int MEMORY = 1500;

    private final NameNodeSettings settings;
    private final Cache<String, Usefulness> users =
            Caffeine.newBuilder().maximumSize(USERS_MAX).executor(Runnable::run).build();

    public UsefulnessByUser(NameNodeSettings settings) {
        this.settings = settings;
    }

    public Usefulness of(Caller caller) {
        return users.get(
                Caller.bounded(caller.user()),
                unused -> new Usefulness(settings.get(NameNodeKeys.GROUP_USEFUL), PROBE_INTERVAL, MEMORY));
    }
}
