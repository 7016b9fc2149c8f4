/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import com.google.common.collect.ImmutableList;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All configuration keys, by role and by name; immutable and thread-safe. */
public final class KeyCatalogue {

    /** The prefix of all keys of Foresight. */
    public static final String PREFIX = "foresight.";

    private static final Map<Role, List<ConfKey<?>>> BY_ROLE = collect();

    private KeyCatalogue() {}

    /** The keys of a role in the order in which they are documented. */
    public static List<ConfKey<?>> of(Role role) {
        return BY_ROLE.getOrDefault(role, ImmutableList.of());
    }

    /** The key of a name, or null. A client's provider key is found under its suffixed names, too. */
    public static @Nullable ConfKey<?> find(String name) {
        String inner = ClientKeys.INNER_PROVIDER.name();
        if (name.startsWith(inner + ".")) {
            return ClientKeys.INNER_PROVIDER;
        }
        return BY_ROLE.values().stream()
                .flatMap(List::stream)
                .filter(key -> key.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** All keys by name, in the order of the roles. */
    public static Map<String, ConfKey<?>> byName() {
        Map<String, ConfKey<?>> all = new LinkedHashMap<>();
        BY_ROLE.values().forEach(keys -> keys.forEach(key -> all.put(key.name(), key)));
        return Collections.unmodifiableMap(all);
    }

    private static Map<Role, List<ConfKey<?>>> collect() {
        Map<Role, List<ConfKey<?>>> keys = new EnumMap<>(Role.class);
        keys.put(Role.NAMENODE, constantsOf(NameNodeKeys.class));
        keys.put(Role.DATANODE, constantsOf(DataNodeKeys.class));
        keys.put(Role.PLACEMENT, constantsOf(PlacementKeys.class));
        keys.put(Role.CLIENT, constantsOf(ClientKeys.class));
        return keys;
    }

    private static List<ConfKey<?>> constantsOf(Class<?> holder) {
        List<ConfKey<?>> keys = new ArrayList<>();
        for (Field field : holder.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == ConfKey.class) {
                try {
                    keys.add((ConfKey<?>) field.get(null));
                } catch (IllegalAccessException e) {
                    throw new AssertionError("key constants are public: " + field, e);
                }
            }
        }
        return ImmutableList.copyOf(keys);
    }
}
