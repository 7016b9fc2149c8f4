/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

/** Reads of a process from its disk. Immutable. */
public final class DiskReads {

    private final long requests;
    private final long bytes;

    public DiskReads(long requests, long bytes) {
        this.requests = requests;
        this.bytes = bytes;
    }

    public long requests() {
        return requests;
    }

    public long bytes() {
        return bytes;
    }

    /** The reads after an earlier count. */
    public DiskReads since(DiskReads earlier) {
        return new DiskReads(requests - earlier.requests, bytes - earlier.bytes);
    }

    public DiskReads plus(DiskReads other) {
        return new DiskReads(requests + other.requests, bytes + other.bytes);
    }
}
