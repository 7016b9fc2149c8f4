/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode;

import io.github.foresight.core.hint.Reader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a DataNode thread's name tells of whom it serves.
 *
 * <p>{@code DataXceiver.updateCurrentThreadName} writes {@code DataXceiver for client NAME at /ADDRESS:PORT [Sending block
 * ...]}, the same in Hadoop 3.3 to 3.5, with {@code [Passing file descriptors ...]} for a short-circuit read. Anything else
 * reads for HDFS itself. An IPv6 address stands in brackets from JDK 14 on. Immutable.
 */
final class BlockReaderThread {

    private static final BlockReaderThread HDFS_ITSELF = new BlockReaderThread(Reader.UNKNOWN, false, false);

    private static final String PREFIX = "DataXceiver for client ";

    private static final Pattern NAME = Pattern.compile(PREFIX + "(?:(?<client>\\S+) at )?"
            + "(?:/\\[?(?<address>[^\\]\\s]+)\\]?:\\d+|\\S+) \\[(?<action>Sending block|Passing file descriptors).*");

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
        Matcher matcher = NAME.matcher(threadName);
        if (!matcher.matches()) {
            return HDFS_ITSELF;
        }
        Reader reader = new Reader(matcher.group("client"), matcher.group("address"));
        return new BlockReaderThread(reader, true, matcher.group("action").startsWith("Passing"));
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
