/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Open streams: {@link io.github.foresight.client.stream.ForesightInputStream} is the stream of an application. {@link
 * io.github.foresight.client.stream.ServedLayout} is a layout from memory; a stale one is replaced. {@link
 * io.github.foresight.client.stream.ReplicaStreams} are the streams of a vectored read.
 */
package io.github.foresight.client.stream;
