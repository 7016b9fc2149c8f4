/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Limits that protect HDFS and its users from Foresight.
 *
 * <p>{@link io.github.foresight.core.guard.FailureBudget} detects too many failures, and
 * {@link io.github.foresight.core.guard.FailuresByCause} too many failures of one cause.
 * {@link io.github.foresight.core.guard.ReadLimits} limits the time for which predictions hold the namesystem's lock.
 * {@link io.github.foresight.core.guard.UserAccessHistory} decides which paths may be predicted to a user.
 * {@link io.github.foresight.core.guard.SharedRoom} keeps room in a queue for each user.
 */
package io.github.foresight.core.guard;
