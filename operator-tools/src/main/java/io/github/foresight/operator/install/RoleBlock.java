/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.install;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.github.foresight.operator.install.SiteText.Property;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One role's properties in a configuration file: a block of lines between two marks. A list of classes that the file has already gets the role's
 * class at its end instead. Values of {@code foresight.} keys that an operator has set, in the block or elsewhere, are kept. Immutable.
 */
final class RoleBlock {

    /** The keys of which each value is a list, to which Foresight's class is added. */
    private static final ImmutableSet<String> LISTS =
            ImmutableSet.of("dfs.namenode.plugins", "dfs.namenode.audit.loggers");

    private static final String OWN_KEYS = "foresight.";
    private static final String OWN_CLASSES = "io.github.foresight.";
    private static final Splitter ITEMS = Splitter.on(',').trimResults().omitEmptyStrings();

    private final InstalledRole role;
    private final SiteText fragment;

    /** A block with the properties of a fragment. */
    RoleBlock(InstalledRole role, SiteText fragment) {
        this.role = role;
        this.fragment = fragment;
    }

    private String beginMark() {
        return "<!-- Foresight, " + role.word() + ": 'bin/foresight disable' removes these lines. -->";
    }

    private String endMark() {
        return "<!-- Foresight, " + role.word() + ": end. -->";
    }

    /**
     * A file with this role's properties. Idempotent: a second call adds only those keys of the fragment that the file lacks.
     *
     * @param effective the properties of the whole file, with those of files that it includes
     * @throws SiteException if a key of Hadoop's has another value already, or stands where this class cannot change it
     */
    Change enabled(SiteText site, Map<String, String> effective) {
        String before = site.between(beginMark(), endMark());
        SiteText own = new SiteText(before);
        SiteText base = site.withoutLines(beginMark(), endMark());
        Map<String, String> properties = new LinkedHashMap<>(effective);
        StringBuilder block = new StringBuilder();
        List<String> notes = new ArrayList<>();
        for (Property wanted : fragment.properties()) {
            String key = wanted.name;
            Property present = base.find(key);
            Property kept = own.find(key);
            if (kept != null) {
                block.append(kept.lines());
                noteIfOther(notes, kept, wanted);
            } else if (present == null && !effective.containsKey(key)) {
                block.append(wanted.lines());
                properties.put(key, wanted.value);
            } else if (LISTS.contains(key)) {
                String list = withClasses(wanted.value, properties.get(key));
                base = set(base, present, key, list, properties);
                properties.put(key, list);
            } else if (key.startsWith(OWN_KEYS)) {
                noteIfOther(notes, present, wanted);
            } else if (!wanted.value.equals(effective.get(key))) {
                throw new SiteException(key + " is " + effective.get(key) + "; Foresight needs " + wanted.value
                        + ". Remove the property, or see docs/install.md, if the present value is needed");
            }
        }
        for (Property kept : own.properties()) {
            if (fragment.find(kept.name) == null) {
                block.append(kept.lines());
            }
        }
        if (block.length() > 0) {
            base = base.append("  " + beginMark() + "\n" + block + "  " + endMark() + "\n");
        }
        return new Change(base, properties, notes);
    }

    /**
     * A file without this role's properties, however they came there: without the block, without the role's classes in lists, and without properties
     * of Hadoop's whose value is a class of the role.
     *
     * @throws SiteException if the file includes another file that names a class of the role
     */
    Change disabled(SiteText site, Map<String, String> effective) {
        Map<String, String> properties = new LinkedHashMap<>(effective);
        new SiteText(site.between(beginMark(), endMark())).properties().forEach(own -> properties.remove(own.name));
        SiteText base = site.withoutLines(beginMark(), endMark());
        List<String> notes = new ArrayList<>();
        for (Property wanted : fragment.properties()) {
            String key = wanted.name;
            String value = properties.get(key);
            if (value == null) {
                continue;
            }
            Property present = base.find(key);
            if (key.startsWith(OWN_KEYS)) {
                notes.add(key + " stays " + value + ": without Foresight nobody reads it");
            } else if (LISTS.contains(key)) {
                String others = withoutClasses(wanted.value, value);
                base = others.isEmpty() ? remove(base, present, key) : set(base, present, key, others, properties);
                replace(properties, key, others.isEmpty() ? null : others);
            } else if (value.equals(wanted.value)) {
                base = remove(base, present, key);
                replace(properties, key, null);
            }
        }
        return new Change(base, properties, notes);
    }

    private static void noteIfOther(List<String> notes, @Nullable Property present, Property wanted) {
        if (present != null && !present.value.equals(wanted.value)) {
            notes.add(present.name + " stays " + present.value + "; as shipped it is " + wanted.value);
        }
    }

    private static void replace(Map<String, String> properties, String key, @Nullable String value) {
        if (value == null) {
            properties.remove(key);
        } else {
            properties.put(key, value);
        }
    }

    /** A present list, and those classes of Foresight's that it does not have. */
    private static String withClasses(String wanted, @Nullable String present) {
        if (present == null) {
            return wanted;
        }
        List<String> missing = new ArrayList<>(ITEMS.splitToList(wanted));
        missing.removeAll(ITEMS.splitToList(present));
        missing.removeIf(item -> !item.startsWith(OWN_CLASSES));
        return missing.isEmpty() ? present : joined(ImmutableList.of(present, joined(missing)));
    }

    /** A list without Foresight's classes; the others stay as they are written. */
    private static String withoutClasses(String wanted, String present) {
        List<String> own = ITEMS.splitToList(wanted);
        List<String> others = new ArrayList<>(Splitter.on(',').splitToList(present));
        others.removeIf(item -> item.trim().startsWith(OWN_CLASSES) && own.contains(item.trim()));
        return joined(others);
    }

    private static String joined(List<String> items) {
        return Joiner.on(',').join(items);
    }

    private static SiteText set(
            SiteText base, @Nullable Property present, String key, String value, Map<String, String> properties) {
        if (value.equals(properties.get(key))) {
            return base;
        }
        if (present == null) {
            throw new SiteException(
                    key + " is set in an included file or with attributes; set it to " + value + " there");
        }
        return base.with(present, value);
    }

    private static SiteText remove(SiteText base, @Nullable Property present, String key) {
        if (present == null) {
            throw new SiteException(key + " is set in an included file or with attributes; remove it there");
        }
        return base.without(present);
    }

    /** A changed file. Immutable. */
    static final class Change {

        private final SiteText text;
        private final Map<String, String> properties;
        private final ImmutableList<String> notes;

        private Change(SiteText text, Map<String, String> properties, List<String> notes) {
            this.text = text;
            this.properties = new LinkedHashMap<>(properties);
            this.notes = ImmutableList.copyOf(notes);
        }

        SiteText text() {
            return text;
        }

        /** The properties that Hadoop must read in the changed file. */
        Map<String, String> properties() {
            return new LinkedHashMap<>(properties);
        }

        /** Remarks for the operator. */
        ImmutableList<String> notes() {
            return notes;
        }
    }
}
