/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.change;

import org.jspecify.annotations.Nullable;

/** Receives each operation that HDFS has carried out and would write to its audit log. */
@FunctionalInterface
public interface AuditedOperations {

    /**
     * Receives an operation that has succeeded, on the handler that has carried it out.
     *
     * @param command the operation's name in the audit log
     * @param source the operation's first path, several paths, another text, or null
     * @param target the operation's second path, or null
     */
    void audited(String command, @Nullable String source, @Nullable String target);
}
