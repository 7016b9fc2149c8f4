/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.lease;

import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Hubs by a clock that a test gives, without a NameNode: a test brings the replies. Thread-safe as the clock is. */
public final class ClockedHubs {

    private static final LeaseTerms TERMS = new LeaseTerms(Duration.ofSeconds(10), Duration.ofSeconds(3));

    private final LeaseHubs hubs;
    private final AtomicInteger expired = new AtomicInteger();

    private final LeaseEvents events = new LeaseEvents() {
        @Override
        public void renewed() {}

        @Override
        public void recalled(int paths, int layouts) {}

        @Override
        public void expired() {
            expired.incrementAndGet();
        }

        @Override
        public void parked() {}

        @Override
        public void parkFailed() {}

        @Override
        public void failed(Throwable failure) {}
    };

    public ClockedHubs(LongSupplier clock) {
        this.hubs = new LeaseHubs(clock);
    }

    /** A connection to the one NameNode, at which no call can be parked. */
    public LeaseMember join(LeasedCache cache) {
        ClientNamenodeProtocolPB dead = (ClientNamenodeProtocolPB) Proxy.newProxyInstance(
                ClockedHubs.class.getClassLoader(),
                new Class<?>[] {ClientNamenodeProtocolPB.class},
                (proxy, method, arguments) -> {
                    throw new ServiceException("no calls here");
                });
        return hubs.join(InetSocketAddress.createUnresolved("namenode", 1), TERMS, events, dead, cache);
    }

    /** How often a layout could not be used because the lease had run out. */
    public int expired() {
        return expired.get();
    }
}
