/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.stream;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * HDFS's stream into a block file, which reports each write, so that prefetches give way. It is a {@link FileOutputStream}, because HDFS
 * syncs and drops behind only through the channel and descriptor of one.
 *
 * <p>Used by one thread at a time, as any stream.
 */
public final class ObservedBlockOutputStream extends FileOutputStream {

    private final FileOutputStream stock;
    private final Runnable onWrite;
    private boolean closed;

    /**
     * A stream in place of HDFS's.
     *
     * @param onWrite runs after each write; never waits
     */
    public ObservedBlockOutputStream(FileOutputStream stock, Runnable onWrite) throws IOException {
        super(stock.getFD());
        this.stock = stock;
        this.onWrite = onWrite;
    }

    @Override
    public void write(int b) throws IOException {
        stock.write(b);
        onWrite.run();
    }

    @Override
    public void write(byte[] bytes) throws IOException {
        write(bytes, 0, bytes.length);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        stock.write(bytes, offset, length);
        onWrite.run();
    }

    @Override
    public void flush() throws IOException {
        stock.flush();
    }

    @Override
    public FileChannel getChannel() {
        return stock.getChannel();
    }

    /** Closing the shared descriptor closes all its streams, this one again among them. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            stock.close();
        } finally {
            super.close();
        }
    }
}
