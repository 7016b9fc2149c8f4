/* SPDX-License-Identifier: Apache-2.0 */
/** Finds the files of a replica, and computes how much memory they take. */
package io.github.foresight.datanode.replica;
