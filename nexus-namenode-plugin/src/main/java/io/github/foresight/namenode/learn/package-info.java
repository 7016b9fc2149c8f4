/* SPDX-License-Identifier: Apache-2.0 */
/** Learns from opens which file follows which: {@link io.github.foresight.namenode.learn.AccessLearner}. */
package io.github.foresight.namenode.learn;
