/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Open streams: {@link io.github.foresight.client.stream.ForesightInputStream} is what an application reads, {@link
 * io.github.foresight.client.stream.ServedLayout} a layout from memory that is replaced when it turns out to be old, and {@link
 * io.github.foresight.client.stream.ReplicaStreams} the streams of a vectored read.
 */
package io.github.foresight.client.stream;
