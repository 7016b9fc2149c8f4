/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The requests of HDFS's client protocol that change the namespace:
 * {@link io.github.foresight.protocol.change.ChangedPaths}.
 */
package io.github.foresight.protocol.change;
