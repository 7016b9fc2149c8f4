/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.settings;

import com.google.common.collect.ImmutableSet;
import io.github.foresight.core.graph.GraphSettings;
import io.github.foresight.core.graph.WeightScheme;
import io.github.foresight.core.guard.KeyedHash;
import io.github.foresight.core.guard.ReadLimits;
import io.github.foresight.core.guard.RecentSet;
import io.github.foresight.core.guard.Refusals;
import io.github.foresight.core.guard.UserAccessHistory;
import io.github.foresight.core.lease.LeaseSettings;
import io.github.foresight.namenode.lease.LeaseLimits;
import io.github.foresight.protocol.conf.ConfKey;
import io.github.foresight.protocol.conf.KeyValues;
import io.github.foresight.protocol.conf.NameNodeKeys;
import io.github.foresight.protocol.conf.Role;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The NameNode's configuration, checked when read; some of it may be changed while it runs. Thread-safe. */
public final class NameNodeSettings {

    /** Keys that are read again for each request. */
    private static final Set<ConfKey<?>> CHANGEABLE = ImmutableSet.of(
            NameNodeKeys.GROUP_SIZE,
            NameNodeKeys.GROUP_BYTES_MAX,
            NameNodeKeys.GROUP_BLOCKS_MAX,
            NameNodeKeys.BUNDLE_FILES_MAX);

    private static final int MAX_WEIGHT = 65535;
    private static final int SUCCESSORS_OF_PAIR = 4;

    private volatile KeyValues values;

    private NameNodeSettings(KeyValues values) {
        this.values = values;
    }

    /**
     * Reads and checks all of a NameNode's keys.
     *
     * @param configured gives the configured text of a key, or null
     * @throws io.github.foresight.protocol.conf.InvalidValueException naming the first key with a value it does not accept
     */
    public static NameNodeSettings read(UnaryOperator<@Nullable String> configured) {
        return new NameNodeSettings(KeyValues.read(Role.NAMENODE, configured));
    }

    public <T> T get(ConfKey<T> key) {
        return values.get(key);
    }

    public static boolean isChangeable(ConfKey<?> key) {
        return CHANGEABLE.contains(key);
    }

    public static Set<ConfKey<?>> changeable() {
        return CHANGEABLE;
    }

    /**
     * Replaces a value.
     *
     * @throws io.github.foresight.protocol.conf.InvalidValueException that names the key, the value and the accepted values
     */
    public synchronized void change(ConfKey<?> key, String text) {
        if (!isChangeable(key)) {
            throw new IllegalArgumentException(key + " is read when the NameNode starts");
        }
        values = values.with(key, text);
    }

    public GraphSettings ofFiles() {
        return new GraphSettings(
                get(NameNodeKeys.GRAPH_SUCCESSORS),
                MAX_WEIGHT,
                get(NameNodeKeys.GRAPH_AGING_VISITS),
                get(NameNodeKeys.GRAPH_USER_SHARE));
    }

    public GraphSettings ofPairs() {
        return new GraphSettings(
                SUCCESSORS_OF_PAIR,
                MAX_WEIGHT,
                get(NameNodeKeys.GRAPH_AGING_VISITS),
                get(NameNodeKeys.GRAPH_USER_SHARE));
    }

    public LeaseSettings leases() {
        return LeaseSettings.builder()
                .leaseNanos(get(NameNodeKeys.LEASE_DURATION).toNanos())
                .marginNanos(get(NameNodeKeys.LEASE_MARGIN).toNanos())
                .ageMaxNanos(get(NameNodeKeys.LEASE_LAYOUT_AGE).toNanos())
                .capacityBytes(get(NameNodeKeys.LEASE_CAPACITY))
                .sessionsMax(get(NameNodeKeys.LEASE_SESSIONS_MAX))
                .sessionFilesMax(get(NameNodeKeys.LEASE_FILES_MAX))
                .userShare(get(NameNodeKeys.LEASE_USER_SHARE))
                .build();
    }

    /** How much may wait because of leases. */
    public LeaseLimits leaseLimits() {
        return new LeaseLimits(
                get(NameNodeKeys.LEASE_PARKED_MAX),
                get(NameNodeKeys.LEASE_CHANGES_MAX),
                get(NameNodeKeys.LEASE_THREADS));
    }

    /** How much of the namesystem's time predictions may take. */
    public ReadLimits readLimits() {
        return new ReadLimits(
                get(NameNodeKeys.LOCK_FILES_MAX),
                get(NameNodeKeys.LOCK_TIME_MAX).toNanos(),
                get(NameNodeKeys.LOCK_QUEUE_MAX),
                get(NameNodeKeys.CALL_QUEUE_MAX),
                get(NameNodeKeys.PRIORITY_LEVELS));
    }

    /** An empty record of the files that users have opened and were refused. */
    public UserAccessHistory accessHistory(Random random, long nowNanos) {
        return new UserAccessHistory(
                new KeyedHash(random.nextLong(), random.nextLong()),
                new RecentSet(get(NameNodeKeys.OPENED_MAX)),
                new Refusals(
                        get(NameNodeKeys.REFUSALS_MAX),
                        get(NameNodeKeys.REFUSALS_TIME).toNanos(),
                        nowNanos));
    }

    public WeightScheme weights() {
        return WeightScheme.valueOf(get(NameNodeKeys.GRAPH_WEIGHTS).name());
    }
}
