/* SPDX-License-Identifier: Apache-2.0 */
/** Traces of file accesses, replayed through the same code that runs in the NameNode. */
package io.github.foresight.simulator;
