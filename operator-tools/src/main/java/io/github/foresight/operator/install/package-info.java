/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code foresight enable} and {@code disable}: one role's jar and its properties in Hadoop's own configuration files. {@link
 * io.github.foresight.operator.install.SiteText} and {@link io.github.foresight.operator.install.RoleBlock} decide on texts alone; {@link
 * io.github.foresight.operator.install.SiteFile} reads and replaces files.
 */
package io.github.foresight.operator.install;
