/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import org.jspecify.annotations.Nullable;

/**
 * The reader of a block, as far as a DataNode knows it: the DFSClient's name and its address, each if known. Immutable
 * and thread-safe.
 */
public final class Reader {

    /** A reader without a known name and address. */
    public static final Reader UNKNOWN = new Reader(null, null);

    /**
     * The longest name, in characters. A client chooses its name, and a session keeps it in memory. HDFS's own names
     * have about 60 characters.
     */
    static final int NAME_MAX = 256;

    private final @Nullable String clientName;
    private final @Nullable String address;

    /**
     * Makes a reader.
     *
     * @param clientName null if unknown; a name of more than {@value #NAME_MAX} characters counts as unknown
     */
    public Reader(@Nullable String clientName, @Nullable String address) {
        this.clientName = clientName == null || clientName.length() > NAME_MAX ? null : clientName;
        this.address = address;
    }

    /**
     * Whether this reader may be the other reader. If both names are known, the names decide, because a client may have
     * several addresses and an address several clients. Otherwise the addresses decide. A reader without a name and an
     * address matches each reader.
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

    /** A number in place of a client id, for a reader that has sent no hint. */
    public long pseudoClientId() {
        String known = clientName != null ? clientName : address;
        return known == null ? 0 : known.hashCode();
    }

    @Override
    public String toString() {
        return (clientName == null ? "?" : clientName) + " at " + (address == null ? "?" : address);
    }
}
