/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.lease;

import io.github.foresight.core.lease.ClientLease.Sent;
import io.github.foresight.core.lease.LeaseMark;
import io.github.foresight.protocol.proto.NoteProtos.LeaseMarkProto;

/** A request that carries a mark, until its reply has come. Immutable. */
public final class MarkedRequest {

    private final Sent sent;
    private final long session;
    private final int generation;
    private final boolean marked;

    MarkedRequest(Sent sent, long session, int generation, boolean marked) {
        this.sent = sent;
        this.session = session;
        this.generation = generation;
        this.marked = marked;
    }

    Sent sent() {
        return sent;
    }

    int generation() {
        return generation;
    }

    /** Whether a request that changes something should carry the mark: the NameNode has granted this JVM a lease. */
    public boolean isMarked() {
        return marked;
    }

    /** The request's mark of the lease. */
    public LeaseMarkProto.Builder mark() {
        LeaseMark processed = sent.processed();
        return LeaseMarkProto.newBuilder()
                .setSession(session)
                .setEpoch(processed.epoch())
                .setIncarnation(processed.incarnation())
                .setRecall(processed.recall())
                .setRequest(sent.number());
    }
}
