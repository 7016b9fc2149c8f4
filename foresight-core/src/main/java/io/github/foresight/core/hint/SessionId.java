/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

/**
 * Names a session: one client process reading one file (SSPF Table I, {@code ClientId} and {@code FileId}). Immutable and
 * thread-safe.
 */
public final class SessionId {

    private final long callerId;
    private final long clientId;
    private final long fileId;

    /** A session of a client process that is a caller of its own. */
    public SessionId(long clientId, long fileId) {
        this(clientId, clientId, fileId);
    }

    /**
     * A session of one of a caller's client processes.
     *
     * @param callerId stands for the user and the address that the hints come from. It does not tell sessions apart: the client's number
     *     is to be another for each caller
     */
    public SessionId(long callerId, long clientId, long fileId) {
        this.callerId = callerId;
        this.clientId = clientId;
        this.fileId = fileId;
    }

    /** Whose share of the session table the session takes. */
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
