/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.lease;

import io.github.foresight.protocol.proto.NoteProtos.LeaseReplyProto;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.jspecify.annotations.Nullable;

/**
 * One connection's part in its JVM's lease with a NameNode. The connection's requests go through here, and the cache beside the connection
 * gets the recalls. Thread-safe.
 */
public final class LeaseMember {

    /** Keeps granted layouts of a reply; called with the hub's lock held. */
    @FunctionalInterface
    public interface Keeping {
        void keep(Predicate<String> mayKeep, LayoutGrant grant);
    }

    private final LeaseHubs hubs;
    private final LeaseHub hub;
    private final ClientNamenodeProtocolPB nameNode;
    private final WeakReference<@Nullable LeasedCache> cache;
    private final AtomicBoolean closed = new AtomicBoolean();

    LeaseMember(LeaseHubs hubs, LeaseHub hub, ClientNamenodeProtocolPB nameNode, @Nullable LeasedCache cache) {
        this.hubs = hubs;
        this.hub = hub;
        this.nameNode = nameNode;
        this.cache = new WeakReference<>(cache);
    }

    LeaseHub hub() {
        return hub;
    }

    ClientNamenodeProtocolPB nameNode() {
        return nameNode;
    }

    @Nullable
    LeasedCache cache() {
        return cache.get();
    }

    /** A request is about to be sent that asks for layouts. */
    public MarkedRequest sending() {
        return hub.sending();
    }

    /**
     * A request is about to be sent that changes paths. All caches of the JVM forget them first.
     *
     * @param paths in plain form
     */
    public MarkedRequest changing(List<String> paths) {
        return hub.changing(paths);
    }

    /** A reply has come: forgets the recalled layouts, then has the granted layouts kept. */
    public void receive(MarkedRequest request, LeaseReplyProto reply, Keeping keeping) {
        hub.receive(this, request, reply, keeping);
    }

    /** A reply to a request that grants nothing has come. */
    public void receive(MarkedRequest request, LeaseReplyProto reply) {
        hub.receive(request, reply);
    }

    /** Something has failed between a request and what its reply asked for: begins anew, without a lease and without layouts. */
    public void abandon(Throwable failure) {
        hub.abandon(failure);
    }

    /**
     * Ends this part; the last one of a JVM gives the lease back.
     *
     * @param stopping closes the connection; called once, in the background if the lease is returned first
     */
    public void close(Runnable stopping) {
        if (closed.compareAndSet(false, true)) {
            hubs.leave(this, stopping);
        }
    }
}
