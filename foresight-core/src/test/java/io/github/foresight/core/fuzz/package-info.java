/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzing of messages, for the tests of each module that receives messages from another process.
 * {@link io.github.foresight.core.fuzz.MessageMutator} damages valid messages by a seed.
 * {@link io.github.foresight.core.fuzz.Fuzz} calls the code under test with the damaged messages, and bounds the memory
 * that the code allocates.
 */
package io.github.foresight.core.fuzz;
