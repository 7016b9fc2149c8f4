/* SPDX-License-Identifier: Apache-2.0 */
/** What all commands that start daemons have in common on their command lines. */
package io.github.foresight.benchmarks.run;
