/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

/** How an answer is written. */
enum AnswerForm {
    WORDS,
    JSON
}
