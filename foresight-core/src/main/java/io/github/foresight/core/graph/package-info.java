/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Who reads what after what: the weighted successor graph of Nexus (Gu et al., IEEE TC 2010, section 4), and the groups that are
 * predicted from it.
 *
 * <p>{@link io.github.foresight.core.graph.ClientHistory} holds a client's last accesses and where it is expected to go on, {@link
 * io.github.foresight.core.graph.WeightScheme} says how much a successor at some distance counts, {@link
 * io.github.foresight.core.graph.SuccessorGraph} adds it up within a fixed budget, {@link
 * io.github.foresight.core.graph.Predictor} turns a history and the graph into a group.
 */
package io.github.foresight.core.graph;
