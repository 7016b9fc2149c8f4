/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prealloc;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * HDFS's stream into a block file, or into its checksum file. A {@link ReplicaSpace} learns of each write and sync before it is made, and
 * of the stream's end before the file is closed. A {@link FileOutputStream} because HDFS syncs, and drops behind, through its channel and
 * descriptor only then.
 *
 * <p>Used by one thread at a time, as any stream.
 */
public final class PreallocatingOutputStream extends FileOutputStream {

    private final FileOutputStream stock;
    private final ReplicaSpace space;
    private long position;
    private boolean closed;

    PreallocatingOutputStream(FileOutputStream stock, ReplicaSpace space, long position) throws IOException {
        super(stock.getFD());
        this.stock = stock;
        this.space = space;
        this.position = position;
    }

    @Override
    public void write(int b) throws IOException {
        space.beforeWrite(position, 1);
        stock.write(b);
        position++;
    }

    @Override
    public void write(byte[] bytes) throws IOException {
        write(bytes, 0, bytes.length);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        space.beforeWrite(position, length);
        stock.write(bytes, offset, length);
        position += length;
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
            space.end();
        } finally {
            try {
                stock.close();
            } finally {
                super.close();
            }
        }
    }
}
