/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.metadata;

import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A segmented LRU cache (Karedla, Love and Wherry, <i>Caching Strategies to Improve Disk System Performance</i>, 1994) for entries that were
 * predicted or asked for.
 *
 * <p>There are two segments. An entry comes on probation. An entry that was asked for once, and is asked for again, becomes protected. If the
 * protected entries weigh more than their share, the least recently used of them goes back on probation, as the youngest there. If the cache is full, the
 * oldest entry on probation goes. An entry is young there when it comes, is predicted again, or is asked for.
 *
 * <p>So a predicted entry has as much time to be of use as any other. A policy that counts uses would turn it away. An entry also goes when it is
 * too old, however often it was used.
 *
 * <p>Constant time on average. Not thread-safe.
 */
public final class SegmentedLru<K, V> {

    /** Learns of each entry that goes by itself; called within the operation that makes it go, and must not call the cache. */
    public interface Evictions<K, V> {
        void evicted(K key, V value);
    }

    private static final class Entry<V> {
        private final V value;
        private final long weight;
        private final long since;
        private boolean isAsked;

        Entry(V value, long weight, boolean isAsked, long since) {
            this.value = value;
            this.weight = weight;
            this.since = since;
            this.isAsked = isAsked;
        }
    }

    private final long capacity;
    private final long protectedCapacity;
    private final long ageMax;
    private final Evictions<K, V> evictions;

    /** All entries in the order in which they came. */
    private final Map<K, Entry<V>> entries = new LinkedHashMap<>();

    /** In the order of their last use or renewal, as are the protected ones. */
    private final Map<K, Entry<V>> onProbation = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<K, Entry<V>> protectedEntries = new LinkedHashMap<>(16, 0.75f, true);
    private long weight;
    private long protectedWeight;

    /**
     * Makes an empty one.
     *
     * @param capacity the most weight of all entries, at least 0
     * @param protectedCapacity the part of it that is for protected entries; with 0 this is a plain LRU
     * @param ageMax how long an entry stays, in the unit of the times that the methods get; 1 or more
     */
    public SegmentedLru(long capacity, long protectedCapacity, long ageMax, Evictions<K, V> evictions) {
        if (protectedCapacity < 0 || protectedCapacity > capacity) {
            throw new IllegalArgumentException(
                    "protectedCapacity is " + protectedCapacity + "; accepted is 0 to " + capacity);
        }
        this.capacity = capacity;
        this.protectedCapacity = protectedCapacity;
        this.ageMax = ageMax;
        this.evictions = evictions;
    }

    /**
     * Adds an entry, in place of the one with its key. An entry that weighs more than the capacity goes at once.
     *
     * @param isAsked whether it was asked for; false for a prediction
     * @param now not before the times of earlier calls
     */
    public void put(K key, V value, long entryWeight, boolean isAsked, long now) {
        remove(key);
        Entry<V> entry = new Entry<>(value, entryWeight, isAsked, now);
        entries.put(key, entry);
        onProbation.put(key, entry);
        weight += entryWeight;
        expire(now);
        while (weight > capacity) {
            evict(victim(key));
        }
    }

    /** The next to go when an entry comes: that entry itself only if it is the last. */
    private K victim(K coming) {
        K oldest = onProbation.keySet().iterator().next();
        return oldest.equals(coming) && !protectedEntries.isEmpty()
                ? protectedEntries.keySet().iterator().next()
                : oldest;
    }

    private void evict(K key) {
        V gone = remove(key);
        if (gone != null) {
            evictions.evicted(key, gone);
        }
    }

    /** The value of a key, or null. Nothing about the entry changes. */
    public @Nullable V peek(K key, long now) {
        expire(now);
        Entry<V> entry = entries.get(key);
        return entry == null ? null : entry.value;
    }

    /** The value of a key that is asked for, or null. */
    public @Nullable V use(K key, long now) {
        expire(now);
        Entry<V> entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        boolean isAgain = entry.isAsked;
        entry.isAsked = true;
        if (isAgain && onProbation.remove(key) != null) {
            protectedEntries.put(key, entry);
            protectedWeight += entry.weight;
            unprotectOldest();
        } else {
            touch(key);
        }
        return entry.value;
    }

    private void unprotectOldest() {
        Iterator<Map.Entry<K, Entry<V>>> oldest = protectedEntries.entrySet().iterator();
        while (protectedWeight > protectedCapacity) {
            Map.Entry<K, Entry<V>> entry = oldest.next();
            K key = entry.getKey();
            Entry<V> unprotected = entry.getValue();
            oldest.remove();
            protectedWeight -= unprotected.weight;
            onProbation.put(key, unprotected);
        }
    }

    /** An entry is predicted again: it becomes the youngest of its segment, and keeps its age. Nothing happens without such an entry. */
    public void renew(K key) {
        touch(key);
    }

    /** Makes an entry the youngest of its segment. */
    private void touch(K key) {
        if (onProbation.get(key) == null) {
            protectedEntries.get(key);
        }
    }

    /** Takes an entry out; {@link Evictions} does not learn of it. Returns the entry's value, or null without such an entry. */
    public @Nullable V remove(K key) {
        Entry<V> entry = entries.remove(key);
        if (entry == null) {
            return null;
        }
        weight -= entry.weight;
        if (onProbation.remove(key) == null) {
            protectedEntries.remove(key);
            protectedWeight -= entry.weight;
        }
        return entry.value;
    }

    /** Has the entries go that are too old. */
    public void expire(long now) {
        while (!entries.isEmpty()) {
            Map.Entry<K, Entry<V>> oldest = entries.entrySet().iterator().next();
            if (now - oldest.getValue().since < ageMax) {
                return;
            }
            evict(oldest.getKey());
        }
    }

    /** The keys of all entries, the first that came first; a view, which lasts until the next operation. */
    public Iterable<K> keys() {
        return Collections.unmodifiableSet(entries.keySet());
    }

    public int size() {
        return entries.size();
    }

    /** The weight of all entries. */
    public long weight() {
        return weight;
    }

    /** The weight of the protected entries. */
    public long protectedWeight() {
        return protectedWeight;
    }
}
