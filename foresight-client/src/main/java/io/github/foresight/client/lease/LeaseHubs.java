/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.lease;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.jspecify.annotations.Nullable;

/**
 * The hubs of this JVM, one for each address of a NameNode that has open connections. A hub stands here from the first connection to the
 * close of the last. So nothing remains of an application that closes its file systems. Thread-safe.
 *
 * <p>File systems of all users, contexts, and all names of an address share its hub. Where one NameNode is reached at two addresses, there
 * are two hubs, and a change through one leaves the other's caches alone. That is as safe as two JVMs are: the hubs have sessions of their
 * own, and the NameNode recalls what one has before it carries out a change of the other. So nothing here finds out which addresses are one
 * NameNode's.
 */
public final class LeaseHubs {

    /** Those of the JVM. */
    public static final LeaseHubs INSTANCE = new LeaseHubs();

    @GuardedBy("hubs")
    private final Map<InetSocketAddress, LeaseHub> hubs = new HashMap<>();

    private final LongSupplier clock;

    /** Hubs by the monotonic clock of this JVM. */
    LeaseHubs() {
        this(System::nanoTime);
    }

    LeaseHubs(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * A connection to a NameNode is opened.
     *
     * @param terms those of the first connection hold
     * @param cache forgets recalled layouts; null for a connection that keeps nothing under a lease
     */
    public LeaseMember join(
            InetSocketAddress address,
            LeaseTerms terms,
            LeaseEvents events,
            ClientNamenodeProtocolPB nameNode,
            @Nullable LeasedCache cache) {
        synchronized (hubs) {
            LeaseHub hub = hubs.get(address);
            if (hub == null) {
                hub = new LeaseHub(address, terms, events, clock);
                hubs.put(address, hub);
            }
            LeaseMember member = new LeaseMember(this, hub, nameNode, cache);
            hub.add(member);
            return member;
        }
    }

    void leave(LeaseMember member, Runnable stopping) {
        LeaseHub hub = member.hub();
        boolean last;
        synchronized (hubs) {
            last = hub.remove(member);
            if (last) {
                hubs.remove(hub.address(), hub);
            }
        }
        if (last) {
            hub.end(member, stopping);
        } else {
            stopping.run();
        }
    }

    /** How many NameNodes have open connections. */
    int size() {
        synchronized (hubs) {
            return hubs.size();
        }
    }
}
