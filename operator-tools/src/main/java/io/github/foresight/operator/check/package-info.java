/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The check before a daemon is restarted: would what its configuration names load, and is every value one that is accepted?
 *
 * <p>{@link io.github.foresight.operator.check.NodeCheck} looks at a {@code NodeConfiguration}, the daemon's {@code NodeClasses}
 * and the machine's {@code NodeFacts}, and says what it finds as {@code Finding}s; {@link
 * io.github.foresight.operator.check.CheckCommand} is its command line.
 */
package io.github.foresight.operator.check;
