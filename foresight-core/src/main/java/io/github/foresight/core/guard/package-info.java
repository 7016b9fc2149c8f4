/* SPDX-License-Identifier: Apache-2.0 */
/** When failures of ours have become too many: {@link io.github.foresight.core.guard.FailureBudget},
 * and by their cause {@link io.github.foresight.core.guard.FailuresByCause}. */
@NullMarked
package io.github.foresight.core.guard;

import org.jspecify.annotations.NullMarked;
