/* SPDX-License-Identifier: Apache-2.0 */
/** Traces of file accesses, replayed through the same code that runs in the NameNode. */
@NullMarked
package io.github.foresight.simulator;

import org.jspecify.annotations.NullMarked;
