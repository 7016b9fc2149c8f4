/* SPDX-License-Identifier: Apache-2.0 */
/** Which requests of HDFS's client protocol change the namespace: {@link io.github.foresight.protocol.change.ChangedPaths}. */
package io.github.foresight.protocol.change;
