/* SPDX-License-Identifier: Apache-2.0 */
/** Reads the moving windows of clients (NBJLOFS) into memory. */
package io.github.foresight.datanode.window;
