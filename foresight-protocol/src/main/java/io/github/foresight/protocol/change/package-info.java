/* SPDX-License-Identifier: Apache-2.0 */
/** Which requests of HDFS's client protocol change the namespace: {@link io.github.foresight.protocol.change.ChangedPaths}. */
@NullMarked
package io.github.foresight.protocol.change;

import org.jspecify.annotations.NullMarked;
