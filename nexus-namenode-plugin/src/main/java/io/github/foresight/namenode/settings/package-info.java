/* SPDX-License-Identifier: Apache-2.0 */
/** The NameNode's configuration: {@link io.github.foresight.namenode.settings.NameNodeSettings} reads and checks all keys. */
package io.github.foresight.namenode.settings;
