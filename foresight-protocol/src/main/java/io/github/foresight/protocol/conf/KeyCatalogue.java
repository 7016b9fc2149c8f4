/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** All configuration keys, by role and by name; immutable and thread-safe. */
public final class KeyCatalogue {

    /** The prefix of all keys of Foresight. */
    public static final String PREFIX = "foresight.";

    /** Filled role by role, so that a client does not load the keys of the daemons. */
    private static final ConcurrentMap<Role, List<ConfKey<?>>> BY_ROLE = new ConcurrentHashMap<>();

    private KeyCatalogue() {}

    /** The keys of a role in the order in which they are documented. */
    public static List<ConfKey<?>> of(Role role) {
        List<ConfKey<?>> known = BY_ROLE.get(role);
        if (known == null) {
            known = constantsOf(holder(role));
            BY_ROLE.put(role, known);
        }
        return known;
    }

    /** The key of a name, or null. A client's provider key is found under its suffixed names, too. */
    public static @Nullable ConfKey<?> find(String name) {
        String inner = ClientKeys.INNER_PROVIDER.name();
        if (name.startsWith(inner + ".")) {
            return ClientKeys.INNER_PROVIDER;
        }
        return byName().get(name);
    }

    /** All keys by name, in the order of the roles. */
    public static Map<String, ConfKey<?>> byName() {
        Map<String, ConfKey<?>> all = new LinkedHashMap<>();
        for (Role role : Role.values()) {
            of(role).forEach(key -> all.put(key.name(), key));
        }
        return Collections.unmodifiableMap(all);
    }

    private static Class<?> holder(Role role) {
        switch (role) {
            case NAMENODE:
                return NameNodeKeys.class;
            case DATANODE:
                return DataNodeKeys.class;
            case PLACEMENT:
                return PlacementKeys.class;
            default:
                return ClientKeys.class;
        }
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
        return Collections.unmodifiableList(keys);
    }
}
