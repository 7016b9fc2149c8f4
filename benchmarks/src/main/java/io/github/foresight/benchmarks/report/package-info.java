/* SPDX-License-Identifier: Apache-2.0 */
/** What reports share: {@link io.github.foresight.benchmarks.report.Spread}. */
package io.github.foresight.benchmarks.report;
