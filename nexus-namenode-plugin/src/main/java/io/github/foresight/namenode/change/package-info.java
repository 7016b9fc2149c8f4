/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Notices changes of the namespace and invalidates clients' cache entries. {@link
 * io.github.foresight.namenode.change.ChangeNotices} (active NameNode) and {@link io.github.foresight.namenode.change.ChangeTail}
 * (observer, standby) pass changes to {@link io.github.foresight.namenode.change.NamespaceChanges}, to which {@link
 * io.github.foresight.namenode.change.Invalidations} listens.
 */
package io.github.foresight.namenode.change;
