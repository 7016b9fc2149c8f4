/* SPDX-License-Identifier: Apache-2.0 */
/** What a DataNode is configured with, and what its machine allows. */
package io.github.foresight.datanode.settings;
