/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.client;

import com.google.common.hash.Hashing;
import io.github.foresight.protocol.conf.NameNodeKeys.Identity;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The client that sends an RPC. Immutable except for the cached session. Thread-safe. */
public final class Caller {

    private static final String ROUTED_CLIENT_IP = "clientIp:";
    private static final String ROUTED_CLIENT_ID = "clientId:";

    /** Clients choose their ids and contexts. A digest replaces a longer text, which bounds the memory of a caller. */
    static final int PART_MAX = 256;

    private final String user;
    private final String address;
    private final List<String> identity;
    private volatile @Nullable Remembered remembered;

    /** A client's session, and when it was looked up. Immutable. */
    public static final class Remembered {
        private final ClientSession session;
        private final int clears;
        private final long sinceNanos;

        /**
         * A session.
         *
         * @param clears how often all sessions had been forgotten before it was looked up
         */
        public Remembered(ClientSession session, int clears, long sinceNanos) {
            this.session = session;
            this.clears = clears;
            this.sinceNanos = sinceNanos;
        }

        public ClientSession session() {
            return session;
        }

        public boolean isOf(int clearsNow) {
            return clears == clearsNow;
        }

        public long sinceNanos() {
            return sinceNanos;
        }
    }

    private Caller(String user, String address, List<String> identity) {
        this.user = user;
        this.address = address;
        this.identity = identity;
    }

    /** Makes a caller. A client named in the caller context replaces the sender only if the sender is a known router. */
    public static Caller of(
            String user,
            String address,
            String clientId,
            String context,
            Set<Identity> identifying,
            Set<String> routers) {
        return of(user, address, clientId, context, identifying, Origin.of(routers.contains(address)));
    }

    /** The kind of sender of an RPC. */
    enum Origin {
        CLIENT,
        /** A router or another proxy, which is believed when it says in the caller context for whom it asks. */
        PROXY;

        static Origin of(boolean proxy) {
            return proxy ? PROXY : CLIENT;
        }
    }

    public static Caller of(
            String user, String address, String clientId, String context, Set<Identity> identifying, Origin origin) {
        boolean routed = origin == Origin.PROXY;
        String routedAddress = routed ? valueIn(context, ROUTED_CLIENT_IP) : null;
        String routedClient = routed ? valueIn(context, ROUTED_CLIENT_ID) : null;
        String trueAddress = routedAddress == null ? address : routedAddress;
        List<String> identity = new ArrayList<>(identifying.size());
        for (Identity part : identifying) {
            switch (part) {
                case CLIENT:
                    identity.add(bounded(routedClient == null ? clientId : routedClient));
                    break;
                case USER:
                    identity.add(bounded(user));
                    break;
                case ADDRESS:
                    identity.add(bounded(trueAddress));
                    break;
                case CONTEXT:
                    identity.add(bounded(context));
                    break;
            }
        }
        return new Caller(user, trueAddress, identity);
    }

    /** A text that a client has chosen, or its digest if the text is longer than {@value #PART_MAX} characters. */
    public static String bounded(String part) {
        return part.length() <= PART_MAX
                ? part
                : Hashing.sha256().hashString(part, StandardCharsets.UTF_8).toString();
    }

    private static @Nullable String valueIn(String context, String name) {
        int start = context.indexOf(name);
        if (start < 0) {
            return null;
        }
        int from = start + name.length();
        int end = context.indexOf(',', from);
        return context.substring(from, end < 0 ? context.length() : end);
    }

    /** The full user name, by which HDFS checks permissions. */
    public String user() {
        return user;
    }

    public String address() {
        return address;
    }

    /** Equal for requests of one client. */
    public Object identity() {
        return identity;
    }

    @Nullable
    public Remembered remembered() {
        return remembered;
    }

    public void remember(Remembered session) {
        remembered = session;
    }
}
