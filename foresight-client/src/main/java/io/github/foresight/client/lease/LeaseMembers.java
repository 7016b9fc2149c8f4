/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.lease;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of one hub, held weakly, for some applications never close theirs. Linear in their number. Not thread-safe: the
 * hub's lock guards it.
 */
final class LeaseMembers {

    private final List<WeakReference<LeaseMember>> members = new ArrayList<>();

    void add(LeaseMember member) {
        drop(null);
        members.add(new WeakReference<>(member));
    }

    void remove(LeaseMember member) {
        drop(member);
    }

    /** Removes a member, and all that are no longer reachable. */
    private void drop(@Nullable LeaseMember member) {
        for (Iterator<WeakReference<LeaseMember>> all = members.iterator(); all.hasNext(); ) {
            LeaseMember known = all.next().get();
            if (known == null || known == member) {
                all.remove();
            }
        }
    }

    boolean contains(LeaseMember member) {
        for (WeakReference<LeaseMember> known : members) {
            if (known.get() == member) {
                return true;
            }
        }
        return false;
    }

    /** The members that are still reachable; the list is a copy. */
    List<LeaseMember> open() {
        List<LeaseMember> open = new ArrayList<>(members.size());
        for (Iterator<WeakReference<LeaseMember>> all = members.iterator(); all.hasNext(); ) {
            LeaseMember member = all.next().get();
            if (member == null) {
                all.remove();
            } else {
                open.add(member);
            }
        }
        return open;
    }

    /** Their caches, each once; connections to one nameservice share a cache. The list is a copy. */
    List<LeasedCache> caches() {
        List<LeasedCache> caches = new ArrayList<>(members.size());
        for (WeakReference<LeaseMember> known : members) {
            LeaseMember member = known.get();
            LeasedCache cache = member == null ? null : member.cache();
            if (cache != null && !caches.contains(cache)) {
                caches.add(cache);
            }
        }
        return caches;
    }

    boolean isEmpty() {
        return members.isEmpty();
    }
}
