/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The configuration keys, each with type, default, unit, range and description; {@code docs/configuration.md} is written
 * from them.
 *
 * <p>{@link io.github.foresight.protocol.conf.ConfKey} is one key, {@link
 * io.github.foresight.protocol.conf.DataNodeKeys} and {@link io.github.foresight.protocol.conf.ClientKeys} hold those of a
 * role, and {@link io.github.foresight.protocol.conf.KeyCatalogue} knows them all. {@link io.github.foresight.protocol.conf.HadoopXml}
 * reads and writes Hadoop's files without Hadoop on the class path.
 */
package io.github.foresight.protocol.conf;
