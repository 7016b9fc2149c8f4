/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.lease;

import com.google.common.primitives.Ints;
import io.github.foresight.core.lease.LeaseReply;
import io.github.foresight.core.lease.NameNodeLeases;
import io.github.foresight.core.lease.NameNodeLeases.Exchange;
import io.github.foresight.namenode.path.NamespacePath;
import io.github.foresight.protocol.proto.NoteProtos.LeaseReplyProto;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One request of a client with a lease, while the NameNode answers it. Confined to one thread at a time. */
public final class LeasedRequest {

    private final LayoutLeases owner;
    private final NameNodeLeases at;
    private final Exchange exchange;

    /** Before anything was read for the reply. */
    private final long position;

    private boolean layoutGranted;
    private boolean parkRefused;

    LeasedRequest(LayoutLeases owner, NameNodeLeases at, Exchange exchange, long position) {
        this.owner = owner;
        this.at = at;
        this.exchange = exchange;
        this.position = position;
    }

    Exchange exchange() {
        return exchange;
    }

    boolean isOf(@Nullable NameNodeLeases leases) {
        return at == leases;
    }

    void refusePark() {
        parkRefused = true;
    }

    /**
     * Grants the layout that is asked for; to be called before HDFS reads it.
     *
     * @param path as the client wrote it; one in another form than {@link NamespacePath}'s is not granted, as no recall would name it so
     */
    public void grantAsked(String path) {
        layoutGranted =
                path.equals(NamespacePath.of(path)) && counted(owner.under(at, false, () -> exchange.grant(path)));
    }

    /**
     * Grants a layout that HDFS has read for this reply.
     *
     * @return whether the client may keep it
     */
    public boolean grantRead(String path) {
        return counted(owner.under(at, false, () -> exchange.grantRead(path, position)));
    }

    private boolean counted(boolean granted) {
        owner.counted(granted);
        return granted;
    }

    /** The lease part of the reply. Called after all grants of the reply; null if the NameNode's leases have ended meanwhile. */
    public @Nullable LeaseReplyProto reply() {
        return owner.under(at, Optional.<LeaseReply>empty(), () -> Optional.of(exchange.reply(owner.nowNanos())))
                .map(this::message)
                .orElse(null);
    }

    private LeaseReplyProto message(LeaseReply reply) {
        return LeaseReplyProto.newBuilder()
                .setEpoch(reply.epoch())
                .setIncarnation(reply.incarnation())
                .setGrantedAt(reply.grantedAt())
                .setRecallsAfter(reply.recallsAfter())
                .addAllRecalls(reply.recalls())
                .setRenewed(reply.isRenewed())
                .setLeaseMillis(millis(reply.leaseNanos()))
                .setLayoutMillis(millis(reply.layoutNanos()))
                .setLayoutGranted(layoutGranted)
                .setParkRefused(parkRefused)
                .build();
    }

    private static int millis(long nanos) {
        return Ints.saturatedCast(TimeUnit.NANOSECONDS.toMillis(nanos));
    }
}
