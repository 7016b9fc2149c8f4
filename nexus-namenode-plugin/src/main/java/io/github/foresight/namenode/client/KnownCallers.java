/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.client;

import io.github.foresight.namenode.client.Caller.Origin;
import io.github.foresight.namenode.settings.NameNodeSettings;
import io.github.foresight.protocol.conf.NameNodeKeys;
import io.github.foresight.protocol.conf.NameNodeKeys.Identity;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * Finds the caller of an RPC. The last callers, at most {@value #SLOTS}, are cached, because most requests come from a client that
 * has just sent another. Thread-safe, never waits.
 */
public final class KnownCallers {

    private static final int SLOTS = 1024;

    private final Set<Identity> identifying;
    private final Set<String> routers;

    /** Short names of the users whose caller context HDFS accepts as the client of an RPC. */
    private final Set<String> proxyUsers;

    private final boolean contextCounts;
    private final AtomicReferenceArray<@Nullable Known> slots = new AtomicReferenceArray<>(SLOTS);

    /**
     * Begins without callers.
     *
     * @param proxyUsers HDFS's {@code dfs.namenode.ip-proxy-users}
     */
    public KnownCallers(NameNodeSettings settings, Collection<String> proxyUsers) {
        this(settings.get(NameNodeKeys.CLIENT_IDENTITY), settings.get(NameNodeKeys.ROUTERS), proxyUsers);
    }

    public KnownCallers(Set<Identity> identifying, Set<String> routers, Collection<String> proxyUsers) {
        this.identifying = identifying;
        this.routers = routers;
        this.proxyUsers = new HashSet<>(proxyUsers);
        this.contextCounts = identifying.contains(Identity.CONTEXT) || !routers.isEmpty() || !proxyUsers.isEmpty();
    }

    /** The attributes of an RPC, and the caller that they identify. Immutable. */
    private static final class Known {
        final String user;
        final @Nullable InetAddress address;
        final byte[] clientId;
        final String context;
        final Origin origin;
        final Caller caller;

        Known(
                String user,
                @Nullable InetAddress address,
                byte[] clientId,
                String context,
                Origin origin,
                Caller caller) {
            this.user = user;
            this.address = address;
            this.clientId = clientId;
            this.context = context;
            this.origin = origin;
            this.caller = caller;
        }

        boolean says(
                String otherUser,
                @Nullable InetAddress otherAddress,
                byte[] otherClient,
                String otherContext,
                Origin otherOrigin) {
            return origin == otherOrigin
                    && Arrays.equals(clientId, otherClient)
                    && user.equals(otherUser)
                    && Objects.equals(address, otherAddress)
                    && context.equals(otherContext);
        }
    }

    /** The caller of the RPC that this thread handles. */
    public Caller current() throws IOException {
        Server.Call call = Server.getCurCall().get();
        UserGroupInformation ugi = call == null ? null : call.getRemoteUser();
        return caller(
                ugi == null ? UserGroupInformation.getCurrentUser().getUserName() : ugi.getUserName(),
                call == null ? null : call.getHostInetAddress(),
                Server.getClientId(),
                contextCounts ? context() : "",
                originOf(ugi));
    }

    /** Decides as HDFS does for the address of a client. */
    Origin originOf(@Nullable UserGroupInformation ugi) {
        return Origin.of(!proxyUsers.isEmpty()
                && ugi != null
                && proxyUsers.contains(
                        UserGroupInformation.getRealUserOrSelf(ugi).getShortUserName()));
    }

    private static String context() {
        CallerContext context = CallerContext.getCurrent();
        return context == null || context.getContext() == null ? "" : context.getContext();
    }

    /**
     * The caller of an RPC with these attributes.
     *
     * @param clientId not changed by anyone later
     * @param origin the origin by user; a sender at the address of a known router is a proxy in any case
     */
    public Caller caller(String user, @Nullable InetAddress address, byte[] clientId, String context, Origin origin) {
        int slot = Math.floorMod(31 * Arrays.hashCode(clientId) + user.hashCode(), SLOTS);
        Known known = slots.get(slot);
        if (known != null && known.says(user, address, clientId, context, origin)) {
            return known.caller;
        }
        String host = address == null ? "" : address.getHostAddress();
        Caller caller = Caller.of(
                user,
                host,
                new String(clientId, StandardCharsets.ISO_8859_1), // any bytes, a character each
                context,
                identifying,
                Origin.of(origin == Origin.PROXY || routers.contains(host)));
        if (clientId.length <= Caller.PART_MAX
                && context.length() <= Caller.PART_MAX
                && user.length() <= Caller.PART_MAX) {
            slots.lazySet(slot, new Known(user, address, clientId, context, origin, caller));
        }
        return caller;
    }
}
