/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.stream;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * A stream in place of HDFS's into a block file, or into its checksum file. All goes to HDFS's own stream, on whose descriptor this one is
 * made. It is a {@link FileOutputStream}, because HDFS syncs and drops behind only through the channel and descriptor of one.
 *
 * <p>Used by one thread at a time, as any stream.
 */
public abstract class BlockOutputStream extends FileOutputStream {

    private final FileOutputStream stock;
    private boolean closed;

    /** A stream in place of HDFS's. */
    protected BlockOutputStream(FileOutputStream stock) throws IOException {
        super(stock.getFD());
        this.stock = stock;
    }

    /**
     * Bytes are about to be written.
     *
     * @param bytes how many
     */
    protected void beforeWrite(int bytes) {}

    /** Bytes have been written. */
    protected void afterWrite(int bytes) {}

    /** The stream is about to be closed; called once. */
    protected void beforeClose() {}

    @Override
    public final void write(int b) throws IOException {
        beforeWrite(1);
        stock.write(b);
        afterWrite(1);
    }

    @Override
    public final void write(byte[] bytes) throws IOException {
        write(bytes, 0, bytes.length);
    }

    @Override
    public final void write(byte[] bytes, int offset, int length) throws IOException {
        beforeWrite(length);
        stock.write(bytes, offset, length);
        afterWrite(length);
    }

    @Override
    public final void flush() throws IOException {
        stock.flush();
    }

    @Override
    public final FileChannel getChannel() {
        return stock.getChannel();
    }

    /** Closing the shared descriptor closes all its streams, this one again among them. */
    @Override
    public final void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            beforeClose();
        } finally {
            try {
                stock.close();
            } finally {
                super.close();
            }
        }
    }
}
