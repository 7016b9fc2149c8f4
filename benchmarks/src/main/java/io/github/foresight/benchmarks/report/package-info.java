/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The outcome of a benchmark, from measurements to tables and pictures.
 *
 * <p>A benchmark makes {@link io.github.foresight.benchmarks.report.Measurement}s of its {@link
 * io.github.foresight.benchmarks.report.Column}s. A {@link io.github.foresight.benchmarks.report.BenchReport} compares and reduces them. {@link
 * io.github.foresight.benchmarks.report.TextReport}, {@link io.github.foresight.benchmarks.report.JsonReport} and {@link
 * io.github.foresight.benchmarks.report.CsvReport} write it; {@link io.github.foresight.benchmarks.report.ReportPictures} draws it. {@link
 * io.github.foresight.benchmarks.report.ResultsPage} puts recorded reports into a page of documentation.
 */
package io.github.foresight.benchmarks.report;
