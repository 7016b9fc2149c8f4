/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import org.jspecify.annotations.Nullable;

/**
 * Who reads a block, as far as a DataNode can tell: the DFSClient's name and the address it reads from, each if known.
 * Immutable and thread-safe.
 */
public final class Reader {

    /** A reader of whom nothing is known. */
    public static final Reader UNKNOWN = new Reader(null, null);

    /** A client chooses its name, and a name is kept for as long as a session: HDFS's own names have some 60 characters. */
    static final int NAME_MAX = 256;

    private final @Nullable String clientName;
    private final @Nullable String address;

    /**
     * A reader as far as it is known.
     *
     * @param clientName null, or longer than 256 characters, where the reader is known by its address alone
     */
    public Reader(@Nullable String clientName, @Nullable String address) {
        this.clientName = clientName == null || clientName.length() > NAME_MAX ? null : clientName;
        this.address = address;
    }

    /**
     * Whether this may be the other. Names decide where both are known, for clients have several addresses and addresses
     * several clients; else addresses do; a reader of whom nothing is known may be anyone.
     */
    public boolean matches(Reader other) {
        if (clientName != null && other.clientName != null) {
            return clientName.equals(other.clientName);
        }
        if (address != null && other.address != null) {
            return address.equals(other.address);
        }
        return true;
    }

    /** A number that stands for the reader where a client id is asked for but the reader has sent no hint. */
    public long pseudoClientId() {
        String known = clientName != null ? clientName : address;
        return known == null ? 0 : known.hashCode();
    }

    @Override
    public String toString() {
        return (clientName == null ? "?" : clientName) + " at " + (address == null ? "?" : address);
    }
}
