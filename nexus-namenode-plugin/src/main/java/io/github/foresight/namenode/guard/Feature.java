/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.guard;

import io.github.foresight.protocol.conf.ConfKey;
import io.github.foresight.protocol.conf.NameNodeKeys;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A part of the plugin that an operator can switch on and off. */
public enum Feature {
    LEARN(NameNodeKeys.LEARN_ENABLED),
    PREFETCH(NameNodeKeys.PREFETCH_ENABLED),
    SIBLINGS(NameNodeKeys.SIBLINGS_ENABLED),
    INVALIDATE(NameNodeKeys.INVALIDATE_ENABLED),
    LEASE(NameNodeKeys.LEASE_ENABLED),
    BALANCE(NameNodeKeys.BALANCE_ENABLED),
    BUNDLE(NameNodeKeys.BUNDLE_ENABLED),
    REUSE(NameNodeKeys.REUSE_ENABLED),
    HINT(NameNodeKeys.HINT_ENABLED);

    @SuppressWarnings("ImmutableEnumChecker") // keys are immutable
    private final ConfKey<Boolean> key;

    Feature(ConfKey<Boolean> key) {
        this.key = key;
    }

    /** Whether it is on from the start. */
    public ConfKey<Boolean> key() {
        return key;
    }

    /** The name that an operator writes. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The feature of a label, or null. */
    public static @Nullable Feature of(String label) {
        for (Feature feature : values()) {
            if (feature.label().equals(label.toLowerCase(Locale.ROOT))) {
                return feature;
            }
        }
        return null;
    }
}
