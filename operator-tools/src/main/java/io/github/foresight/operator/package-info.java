/* SPDX-License-Identifier: Apache-2.0 */
/** The operator's commands behind {@code bin/foresight}: one command with a sub-command for each job. */
package io.github.foresight.operator;
