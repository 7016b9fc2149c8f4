/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** The channel of an {@link ObservedBlockInputStream}: the stock channel, whose transferred bytes are counted. */
final class ObservedFileChannel extends FileChannel {

    private final FileChannel stock;
    private final ObservedBlockInputStream stream;

    ObservedFileChannel(FileChannel stock, ObservedBlockInputStream stream) {
        this.stock = stock;
        this.stream = stream;
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        long n = stock.transferTo(position, count, target);
        if (n > 0) {
            stream.deliveredUpTo(position + n);
        }
        return n;
    }

    @Override
    public int read(ByteBuffer buffer) throws IOException {
        int n = stock.read(buffer);
        if (n > 0) {
            stream.deliveredUpTo(stock.position());
        }
        return n;
    }

    @Override
    public long read(ByteBuffer[] buffers, int offset, int length) throws IOException {
        long n = stock.read(buffers, offset, length);
        if (n > 0) {
            stream.deliveredUpTo(stock.position());
        }
        return n;
    }

    @Override
    public int read(ByteBuffer buffer, long position) throws IOException {
        int n = stock.read(buffer, position);
        if (n > 0) {
            stream.deliveredUpTo(position + n);
        }
        return n;
    }

    @Override
    public int write(ByteBuffer buffer) throws IOException {
        return stock.write(buffer);
    }

    @Override
    public long write(ByteBuffer[] buffers, int offset, int length) throws IOException {
        return stock.write(buffers, offset, length);
    }

    @Override
    public int write(ByteBuffer buffer, long position) throws IOException {
        return stock.write(buffer, position);
    }

    @Override
    public long position() throws IOException {
        return stock.position();
    }

    @Override
    public FileChannel position(long newPosition) throws IOException {
        stock.position(newPosition);
        return this;
    }

    @Override
    public long size() throws IOException {
        return stock.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        stock.truncate(size);
        return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        stock.force(metaData);
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
        return stock.transferFrom(source, position, count);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
        return stock.map(mode, position, size);
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        return stock.lock(position, size, shared);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return stock.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        stream.close();
    }
}
