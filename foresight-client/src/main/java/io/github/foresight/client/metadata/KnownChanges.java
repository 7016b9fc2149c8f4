/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metadata;

import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells which layouts may be cached without a lease: those whose reply was not under way while the client learned of a change.
 *
 * <p>All changes are counted: the client's own, and those in the NameNode's notes. A reply is held against the count before its
 * request. The NameNode names the changes of files that its present record has as granted to this client. So a reply with another
 * record makes everything from before worthless. Constant time and memory. Thread-safe.
 */
final class KnownChanges {

    private final AtomicLong count = new AtomicLong();

    /** Names the NameNode's record of its grants to this client. */
    private volatile long record;

    /** The record of the last reply that was processed as a whole. */
    private volatile long settledRecord;

    /** Where the changes stand; to be asked before the NameNode is. */
    long position() {
        return count.get();
    }

    /** Something has changed: no reply that is under way may be cached. */
    void add() {
        count.incrementAndGet();
    }

    long record() {
        return record;
    }

    /**
     * Takes a reply's record for the present one. Returns whether the record is another than before: after a failover, from another
     * observer, or as the NameNode had no room. The NameNode names no changes of earlier grants, so these must be forgotten.
     */
    boolean follow(long replysRecord) {
        if (replysRecord == record) {
            return false;
        }
        record = replysRecord;
        return true;
    }

    /**
     * A reply's layouts are cached, and its changes come next. A reply that was sent before this one can come after it, with layouts that
     * have changed meanwhile; if there may be any such, none that is under way is cached.
     */
    void settle(NameNodeNoteProto note) {
        if (note.getInvalidatedCount() > 0 || note.getGrantRecord() != settledRecord) {
            settledRecord = note.getGrantRecord();
            add();
        }
    }

    /** Whether nothing has changed since a position. */
    boolean isNoneSince(long position) {
        return count.get() == position;
    }

    /** Whether nothing has changed since a position, and a reply's record is still the present one. */
    boolean isNoneSince(long position, long replysRecord) {
        return isNoneSince(position) && record == replysRecord;
    }
}
