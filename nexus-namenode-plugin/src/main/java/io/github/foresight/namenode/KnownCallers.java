/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import io.github.foresight.protocol.conf.NameNodeKeys;
import io.github.foresight.protocol.conf.NameNodeKeys.Identity;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * Tells who makes an RPC, and remembers it of the clients that asked last, at most {@value #SLOTS}: most requests come from a client
 * that has just made another. Thread-safe, never waits.
 */
final class KnownCallers {

    private static final int SLOTS = 1024;

    private final Set<Identity> identifying;
    private final Set<String> routers;
    private final boolean contextCounts;
    private final AtomicReferenceArray<@Nullable Known> slots = new AtomicReferenceArray<>(SLOTS);

    KnownCallers(NameNodeSettings settings) {
        this(settings.get(NameNodeKeys.CLIENT_IDENTITY), settings.get(NameNodeKeys.ROUTERS));
    }

    KnownCallers(Set<Identity> identifying, Set<String> routers) {
        this.identifying = identifying;
        this.routers = routers;
        this.contextCounts = identifying.contains(Identity.CONTEXT) || !routers.isEmpty();
    }

    /** What an RPC says of its caller, and who that is. Immutable. */
    private static final class Known {
        final String user;
        final @Nullable InetAddress address;
        final byte[] clientId;
        final String context;
        final Caller caller;

        Known(String user, @Nullable InetAddress address, byte[] clientId, String context, Caller caller) {
            this.user = user;
            this.address = address;
            this.clientId = clientId;
            this.context = context;
            this.caller = caller;
        }

        boolean says(String otherUser, @Nullable InetAddress otherAddress, byte[] otherClient, String otherContext) {
            return Arrays.equals(clientId, otherClient)
                    && user.equals(otherUser)
                    && Objects.equals(address, otherAddress)
                    && context.equals(otherContext);
        }
    }

    /** Of the RPC that this thread handles. */
    Caller current() throws IOException {
        Server.Call call = Server.getCurCall().get();
        UserGroupInformation ugi = call == null ? null : call.getRemoteUser();
        return caller(
                ugi == null ? UserGroupInformation.getCurrentUser().getUserName() : ugi.getUserName(),
                call == null ? null : call.getHostInetAddress(),
                Server.getClientId(),
                contextCounts ? context() : "");
    }

    private static String context() {
        CallerContext context = CallerContext.getCurrent();
        return context == null || context.getContext() == null ? "" : context.getContext();
    }

    /**
     * Of an RPC that says so much.
     *
     * @param clientId not changed by anyone later
     */
    Caller caller(String user, @Nullable InetAddress address, byte[] clientId, String context) {
        int slot = Math.floorMod(31 * Arrays.hashCode(clientId) + user.hashCode(), SLOTS);
        Known known = slots.getAcquire(slot);
        if (known != null && known.says(user, address, clientId, context)) {
            return known.caller;
        }
        Caller caller = Caller.of(
                user,
                address == null ? "" : address.getHostAddress(),
                new String(clientId, StandardCharsets.ISO_8859_1), // any bytes, a character each
                context,
                identifying,
                routers);
        if (clientId.length <= Caller.PART_MAX && context.length() <= Caller.PART_MAX) {
            slots.setRelease(slot, new Known(user, address, clientId, context, caller));
        }
        return caller;
    }
}
