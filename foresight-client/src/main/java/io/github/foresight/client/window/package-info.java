/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Windows (NBJLOFS): {@link io.github.foresight.client.window.FileWindow} moves a file's window with its random reads, and {@link
 * io.github.foresight.client.window.WindowedLayout} leads reads inside a window to the DataNode that holds it.
 */
package io.github.foresight.client.window;
