/* SPDX-License-Identifier: Apache-2.0 */
/** Replays of traces of file accesses through the code that runs in the NameNode. */
package io.github.foresight.simulator;
