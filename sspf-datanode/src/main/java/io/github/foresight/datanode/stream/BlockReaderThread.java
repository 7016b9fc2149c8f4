/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.stream;

import io.github.foresight.core.hint.Reader;
import org.jspecify.annotations.Nullable;

/**
 * The client and the block that a DataNode thread serves, from the thread's name.
 *
 * <p>{@code DataXceiver.updateCurrentThreadName} writes {@code DataXceiver for client NAME at /ADDRESS:PORT [Sending block
 * ...]}, the same in Hadoop 3.3 to 3.5, with {@code [Passing file descriptors ...]} for a short-circuit read. Anything else
 * reads for HDFS itself. An IPv6 address stands in brackets from JDK 14 on. Immutable.
 */
final class BlockReaderThread {

    private static final BlockReaderThread HDFS_ITSELF = new BlockReaderThread(Reader.UNKNOWN, false, false);

    private static final String PREFIX = "DataXceiver for client ";

    private static final String ACTION = " [";
    private static final String SENDING = "Sending block";
    private static final String PASSING = "Passing file descriptors";
    private static final String AT = " at ";

    private final Reader reader;
    private final boolean servesClient;
    private final boolean shortCircuit;

    private BlockReaderThread(Reader reader, boolean servesClient, boolean shortCircuit) {
        this.reader = reader;
        this.servesClient = servesClient;
        this.shortCircuit = shortCircuit;
    }

    /** Whether a thread of this name may serve a client; cheap, and right about all but idle {@code DataXceiver}s. */
    static boolean mayServeClient(String threadName) {
        return threadName.startsWith(PREFIX);
    }

    static BlockReaderThread ofName(String threadName) {
        int action = threadName.indexOf(ACTION, PREFIX.length());
        if (!threadName.startsWith(PREFIX) || action < 0) {
            return HDFS_ITSELF;
        }
        boolean passing = threadName.startsWith(PASSING, action + ACTION.length());
        if (!passing && !threadName.startsWith(SENDING, action + ACTION.length())) {
            return HDFS_ITSELF;
        }
        String whom = threadName.substring(PREFIX.length(), action);
        int at = whom.indexOf(AT);
        String client = at < 0 ? null : whom.substring(0, at);
        String from = at < 0 ? whom : whom.substring(at + AT.length());
        if (!isWord(from) || (client != null && !isWord(client))) {
            return HDFS_ITSELF;
        }
        return new BlockReaderThread(new Reader(client, address(from)), true, passing);
    }

    private static boolean isWord(String text) {
        return !text.isEmpty() && text.indexOf(' ') < 0;
    }

    /** The address in {@code /ADDRESS:PORT}, or null where a connection comes from no network. */
    private static @Nullable String address(String from) {
        int port = from.lastIndexOf(':');
        if (!from.startsWith("/") || port < 2) {
            return null;
        }
        return from.charAt(1) == '[' && from.charAt(port - 1) == ']'
                ? from.substring(2, port - 1)
                : from.substring(1, port);
    }

    Reader reader() {
        return reader;
    }

    boolean servesClient() {
        return servesClient;
    }

    boolean isShortCircuit() {
        return shortCircuit;
    }
}
