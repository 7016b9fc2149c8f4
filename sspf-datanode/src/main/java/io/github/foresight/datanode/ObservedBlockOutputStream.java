/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * HDFS's stream into a block file, with each write told to the read-ahead, so that a prefetch gives way. A {@link FileOutputStream} because HDFS
 * syncs, and drops behind, through its channel and descriptor only then.
 *
 * <p>Used by one thread at a time, as any stream.
 */
public final class ObservedBlockOutputStream extends FileOutputStream {

    private final FileOutputStream stock;
    private final BlockReadAhead readAhead;
    private final FsVolumeSpi volume;
    private boolean closed;

    public ObservedBlockOutputStream(FileOutputStream stock, BlockReadAhead readAhead, FsVolumeSpi volume)
            throws IOException {
        super(stock.getFD());
        this.stock = stock;
        this.readAhead = readAhead;
        this.volume = volume;
    }

    @Override
    public void write(int b) throws IOException {
        stock.write(b);
        readAhead.demandSeen(volume);
    }

    @Override
    public void write(byte[] bytes) throws IOException {
        write(bytes, 0, bytes.length);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        stock.write(bytes, offset, length);
        readAhead.demandSeen(volume);
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
