/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.ipc;

import java.net.InetAddress;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The far end of a connection to this process's RPC server. Stands in this package to see which connections the server has. Immutable and
 * thread-safe; holds nothing of the connection.
 */
public final class CallerConnection {

    private final InetAddress address;
    private final int port;

    public CallerConnection(InetAddress address, int port) {
        this.address = Objects.requireNonNull(address, "address");
        this.port = port;
    }

    /** The connection of the call that this thread has in hand; null if there is none. */
    public static @Nullable CallerConnection ofCall() {
        Server.Call call = Server.getCurCall().get();
        InetAddress address = call == null ? null : call.getHostInetAddress();
        return call == null || address == null ? null : new CallerConnection(address, call.getRemotePort());
    }

    /** Gives the connections that a server has at the time. */
    public static Supplier<Set<CallerConnection>> openTo(Server server) {
        return () -> {
            Set<CallerConnection> open = new HashSet<>();
            for (Server.Connection connection : server.getConnections()) {
                InetAddress address = connection.getHostInetAddress();
                if (address != null) {
                    open.add(new CallerConnection(address, connection.getRemotePort()));
                }
            }
            return open;
        };
    }

    @Override
    public boolean equals(@Nullable Object o) {
        return o instanceof CallerConnection
                && ((CallerConnection) o).port == port
                && ((CallerConnection) o).address.equals(address);
    }

    @Override
    public int hashCode() {
        return address.hashCode() * 31 + port;
    }

    @Override
    public String toString() {
        return address.getHostAddress() + ":" + port;
    }
}
