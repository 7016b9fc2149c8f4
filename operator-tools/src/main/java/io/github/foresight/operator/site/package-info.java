/* SPDX-License-Identifier: Apache-2.0 */
/** The configuration of the cluster that a command works on. */
package io.github.foresight.operator.site;
