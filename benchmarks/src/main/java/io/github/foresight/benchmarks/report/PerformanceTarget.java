/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

/**
 * A promise that a benchmark checks. Immutable.
 *
 * @param words the promise, with its limit
 * @param limit the number in the promise
 * @param met whether the figures keep it
 */
public record PerformanceTarget(String words, double limit, boolean met) {}
