/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/** Placeholder. */
final class ReplicaBalancer {
    void order(LocatedBlocks blocks, String readerAddress) {}
}
