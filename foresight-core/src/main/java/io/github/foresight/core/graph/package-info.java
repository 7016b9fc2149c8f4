/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The weighted successor graph of Nexus (Gu et al., IEEE TC 2010, section 4), and the prefetch groups that are
 * predicted from the graph.
 *
 * <p>{@link io.github.foresight.core.graph.ClientHistory} holds a client's last accesses and its predicted run.
 * {@link io.github.foresight.core.graph.WeightScheme} sets the weight of a successor by its distance.
 * {@link io.github.foresight.core.graph.SuccessorGraph} adds up the weights within a fixed budget.
 * {@link io.github.foresight.core.graph.Predictor} turns a history and the graph into a prefetch group.
 */
package io.github.foresight.core.graph;
