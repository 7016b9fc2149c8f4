/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Calls to a NameNode: {@link io.github.foresight.client.namenode.ForesightTranslator} stands in for HDFS's translator. It answers opens
 * and statuses from memory, and adds notes to the requests that it sends. Retries are stock HDFS's for a NameNode without HA ({@link
 * io.github.foresight.client.namenode.SingleNameNodeProvider}), and the configured provider's for HA.
 */
package io.github.foresight.client.namenode;
