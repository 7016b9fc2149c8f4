/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The configuration keys, each with type, default, unit, range and description; {@code docs/configuration.md} is
 * generated from them.
 *
 * <p>{@link io.github.foresight.protocol.conf.ConfKey} is one key.
 * {@link io.github.foresight.protocol.conf.NameNodeKeys}, {@link io.github.foresight.protocol.conf.DataNodeKeys},
 * {@link io.github.foresight.protocol.conf.PlacementKeys} and {@link io.github.foresight.protocol.conf.ClientKeys} hold
 * the keys of a role. {@link io.github.foresight.protocol.conf.KeyCatalogue} lists them all.
 * {@link io.github.foresight.protocol.conf.HadoopXml} reads and writes Hadoop's files without Hadoop on the class path.
 */
package io.github.foresight.protocol.conf;
