/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.lease;

import io.github.foresight.protocol.conf.NameNodeKeys;
import org.apache.hadoop.ipc.RetriableException;

/** A change is refused because too many changes wait for clients. HDFS's clients try again, with their own pauses. */
final class TooManyChangesException extends Exception {

    private static final long serialVersionUID = 1;

    TooManyChangesException(int changesMax) {
        super("as many changes as " + NameNodeKeys.LEASE_CHANGES_MAX + " allows, " + changesMax
                + ", wait for clients that hold layouts of what they change");
    }

    /** The exception that the caller of the change receives. */
    RetriableException forCaller() {
        return new RetriableException(getMessage());
    }
}
