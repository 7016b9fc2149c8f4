/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

/** An application's open stream of a file, of which {@link OpenFiles} knows. Thread-safe; never waits for a read. */
@FunctionalInterface
public interface OpenStream {

    /** The bytes that the stream has delivered since its open, without those of reads by position. */
    long streamedBytes();
}
