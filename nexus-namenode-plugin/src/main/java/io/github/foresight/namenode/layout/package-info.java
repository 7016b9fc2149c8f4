/* SPDX-License-Identifier: Apache-2.0 */
/** Builds the protobuf message of a file's layout: {@link io.github.foresight.namenode.layout.LayoutMessages}. */
package io.github.foresight.namenode.layout;
