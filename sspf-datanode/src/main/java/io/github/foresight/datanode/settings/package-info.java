/* SPDX-License-Identifier: Apache-2.0 */
/** A DataNode's configuration, and the limits of its machine. */
package io.github.foresight.datanode.settings;
