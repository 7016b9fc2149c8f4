/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import java.net.InetAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.jspecify.annotations.Nullable;

/**
 * Notices the operations that HDFS would write to its audit log; named in {@code dfs.namenode.audit.loggers} beside {@code default}. It
 * writes nothing.
 *
 * <p>HDFS makes it before the plugin is started, calls it on the handler of each operation that has ended, and drops what it throws on the
 * caller: it throws nothing. Thread-safe.
 */
public final class ChangeAuditLogger implements AuditLogger {

    /** Takes what the audit log is told of an operation that has succeeded. */
    @FunctionalInterface
    interface Sink {
        void audited(String command, @Nullable String source, @Nullable String target);
    }

    private volatile @Nullable Sink sink;

    /** Called by HDFS through reflection. */
    public ChangeAuditLogger() {}

    @Override
    public void initialize(Configuration conf) {}

    /** From now on operations are told to the sink, or to none. */
    void tell(@Nullable Sink to) {
        sink = to;
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
        Sink to = sink;
        if (to != null && succeeded && command != null) {
            to.audited(command, source, target);
        }
    }
}
