/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The HDFS client's side of SSPF: sees which files are opened and how they are read, and hints the DataNodes.
 *
 * <p>Two classes are named in the configuration: {@link io.github.foresight.client.ForesightProxyProvider} sees the NameNode's answers,
 * {@link io.github.foresight.client.ReadObserver} sees the block that a stream opens. Between them stand {@link
 * io.github.foresight.client.OpenFiles}, the files whose layout is known, and {@link io.github.foresight.client.HintSender}, which talks to
 * the DataNodes.
 */
package io.github.foresight.client;
