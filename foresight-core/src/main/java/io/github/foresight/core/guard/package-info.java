/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What keeps Foresight from harming HDFS and its users: {@link io.github.foresight.core.guard.FailureBudget} says when failures have
 * become too many, and {@link io.github.foresight.core.guard.FailuresByCause} of which cause,
 * {@link io.github.foresight.core.guard.ReadLimits} how long predictions may hold the namesystem's lock,
 * {@link io.github.foresight.core.guard.Discretion} what a user may be told of,
 * {@link io.github.foresight.core.guard.SharedRoom} how much of a queue is left to others.
 */
package io.github.foresight.core.guard;
