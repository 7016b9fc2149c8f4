/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The check before a daemon is restarted: do all configured classes load, and are all values accepted?
 *
 * <p>{@link io.github.foresight.operator.check.CheckCommand} is the command line. {@link io.github.foresight.operator.check.NodeCheck}
 * checks a {@code NodeConfiguration}, the {@code NodeClasses} of the daemon, its {@code DaemonJava} and its {@code LockLimit}. It returns
 * {@code Finding}s, each with a remedy.
 */
package io.github.foresight.operator.check;
