/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import io.github.foresight.namenode.change.AuditedOperations;
import java.net.InetAddress;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.jspecify.annotations.Nullable;

/**
 * Receives the operations that HDFS writes to its audit log, and passes them to the plugin. It is named in {@code
 * dfs.namenode.audit.loggers} beside {@code default}, and writes nothing.
 *
 * <p>HDFS creates it before the plugin starts, and calls it on the handler of each operation that has ended. An exception here
 * would fail the client's RPC, so this class throws none. Thread-safe.
 */
public final class ChangeAuditLogger implements AuditLogger {

    private volatile @Nullable AuditedOperations listener;

    /** Called by HDFS through reflection. */
    public ChangeAuditLogger() {}

    @Override
    public void initialize(Configuration conf) {}

    /** Finds the logger that HDFS made of this class, or null. */
    static @Nullable ChangeAuditLogger among(List<AuditLogger> loggers) {
        for (AuditLogger logger : loggers) {
            if (logger instanceof ChangeAuditLogger) {
                return (ChangeAuditLogger) logger;
            }
        }
        return null;
    }

    /** Passes all later operations to a listener; null passes them to nobody. */
    void passTo(@Nullable AuditedOperations to) {
        listener = to;
    }

    @Override
    public void logAuditEvent(
            boolean succeeded,
            @Nullable String userName,
            @Nullable InetAddress address,
            @Nullable String command,
            @Nullable String source,
            @Nullable String target,
            @Nullable FileStatus status) {
        AuditedOperations to = listener;
        if (to != null && succeeded && command != null) {
            to.audited(command, source, target);
        }
    }
}
