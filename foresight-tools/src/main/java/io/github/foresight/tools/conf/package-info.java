/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Hadoop's configuration without Hadoop on the class path: {@link io.github.foresight.tools.conf.HadoopXml} for its files,
 * {@link io.github.foresight.tools.conf.ByteSize} for the sizes in them.
 */
package io.github.foresight.tools.conf;
