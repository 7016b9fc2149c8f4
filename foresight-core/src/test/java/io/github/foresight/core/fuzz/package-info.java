/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzing of messages, for the tests of every module that takes messages from another process: {@link
 * io.github.foresight.core.fuzz.MessageMutator} damages valid messages by a seed, and {@link io.github.foresight.core.fuzz.Fuzz} hands
 * the damaged messages to the code under test and bounds the memory that the code allocates.
 */
package io.github.foresight.core.fuzz;
