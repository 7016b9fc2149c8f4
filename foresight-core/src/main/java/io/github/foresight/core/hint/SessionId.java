/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

/**
 * Names a session: one client process reading one file (SSPF Table I, {@code ClientId} and {@code FileId}). Immutable and
 * thread-safe.
 */
public final class SessionId {

    private final long clientId;
    private final long fileId;

    public SessionId(long clientId, long fileId) {
        this.clientId = clientId;
        this.fileId = fileId;
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
