/* SPDX-License-Identifier: Apache-2.0 */
/** What reports share: {@link io.github.foresight.tools.report.Spread}. */
@NullMarked
package io.github.foresight.tools.report;

import org.jspecify.annotations.NullMarked;
