/* SPDX-License-Identifier: Apache-2.0 */
/** What reports share: {@link io.github.foresight.tools.report.Spread}. */
package io.github.foresight.tools.report;
