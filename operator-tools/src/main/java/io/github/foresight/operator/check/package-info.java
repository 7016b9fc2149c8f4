/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The check before a daemon is restarted: can it load the classes that its configuration names, and does it accept every value?
 *
 * <p>{@link io.github.foresight.operator.check.NodeCheck} checks a {@code NodeConfiguration}, the daemon's {@code NodeClasses} and the
 * machine's {@code NodeFacts}. It returns {@code Finding}s. {@link io.github.foresight.operator.check.CheckCommand} is its command line.
 */
package io.github.foresight.operator.check;
