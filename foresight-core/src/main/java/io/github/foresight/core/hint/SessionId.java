/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

/**
 * The identity of a hint session: one client process that reads one file (SSPF Table I, {@code ClientId} and
 * {@code FileId}). Immutable and thread-safe.
 */
public final class SessionId {

    private final long callerId;
    private final long clientId;
    private final long fileId;

    /** The session of a client process that is its own caller. */
    public SessionId(long clientId, long fileId) {
        this(clientId, clientId, fileId);
    }

    /**
     * The session of one of a caller's client processes.
     *
     * @param callerId the number of the user and the address that send the hints. Equality ignores it; the client's
     *     number must differ between callers
     */
    public SessionId(long callerId, long clientId, long fileId) {
        this.callerId = callerId;
        this.clientId = clientId;
        this.fileId = fileId;
    }

    /** The caller whose share of the session table the session uses. */
    public long callerId() {
        return callerId;
    }

    public long clientId() {
        return clientId;
    }

    public long fileId() {
        return fileId;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof SessionId && ((SessionId) o).clientId == clientId && ((SessionId) o).fileId == fileId;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(clientId) * 31 + Long.hashCode(fileId);
    }

    @Override
    public String toString() {
        return "client " + Long.toHexString(clientId) + " file " + Long.toHexString(fileId);
    }
}
