/* SPDX-License-Identifier: Apache-2.0 */
/** The operator's commands to a running NameNode: {@link io.github.foresight.namenode.admin.AdminCommands}. */
package io.github.foresight.namenode.admin;
