/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Foresight's data in HDFS's own messages between client and NameNode: {@link io.github.foresight.protocol.note.Notes}.
 */
package io.github.foresight.protocol.note;
