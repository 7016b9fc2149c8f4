/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

/** The form of an answer. */
enum AnswerForm {
    WORDS,
    JSON
}
