/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The check before a daemon is restarted: do all configured classes load, and are all values accepted?
 *
 * <p>{@link io.github.foresight.operator.check.CheckCommand} is the command line. {@link io.github.foresight.operator.check.NodeCheck}
 * checks a {@code NodeConfiguration}, the {@code NodeClasses} of the daemon, its {@code DaemonJava} and its {@code LockLimit}. It returns
 * {@code Finding}s, each with a remedy.
 */
/**
 * The check before a daemon is restarted: do all configured classes load, and are all values accepted?
 *
 * <p>{@link io.github.foresight.operator.check.NodeCheck} looks at a {@code NodeConfiguration}, the daemon's {@code NodeClasses}
 * and the machine's {@code NodeFacts}, and says what it finds as {@code Finding}s; {@link
 * io.github.foresight.operator.check.CheckCommand} is its command line.
 */
package io.github.foresight.operator.check;
