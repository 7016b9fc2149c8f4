/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode;

import io.github.foresight.datanode.pagecache.PageCache;
import io.github.foresight.datanode.replica.BlockFiles;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** A volume that is a directory, lets its users in one by one as a test says, and can be closed. */
public final class FakeVolume {

    private static final int HEADER_BYTES = 7;

    private final Path directory;
    private final Semaphore turns;
    private final AtomicInteger references = new AtomicInteger();
    private final FsVolumeSpi volume;
    private volatile boolean closed;
    private volatile Supplier<? extends Throwable> failure;

    private FakeVolume(Path directory, int turns) {
        this.directory = directory;
        this.turns = new Semaphore(turns);
        this.volume = proxy(FsVolumeSpi.class, (proxy, method, arguments) -> {
            return switch (method.getName()) {
                case "getStorageID" -> "DS-1";
                case "obtainReference" -> obtain();
                case "toString" -> directory.toString();
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> proxy == arguments[0];
                default -> throw new UnsupportedOperationException(method.toString());
            };
        });
    }

    /** A volume that never makes anybody wait. */
    public static FakeVolume at(Path directory) {
        return new FakeVolume(directory, Integer.MAX_VALUE / 2);
    }

    /** A volume where each use waits for a turn. */
    public static FakeVolume stepwiseAt(Path directory) {
        return new FakeVolume(directory, 0);
    }

    public FsVolumeSpi spi() {
        return volume;
    }

    /** From now on each use waits for a turn. */
    public void holdTurns() {
        turns.drainPermits();
    }

    public void giveTurns(int count) {
        turns.release(count);
    }

    public void close() {
        closed = true;
    }

    /** From now on a use of the volume fails in a way that nobody expects. */
    public void breakDown(Supplier<? extends Throwable> how) {
        failure = how;
    }

    /** From now on the volume can be used again. */
    public void mend() {
        failure = null;
    }

    public int references() {
        return references.get();
    }

    /** Writes a replica that is not in memory; its bytes are those of its place in the file. */
    public BlockFiles write(long blockId, int lengthBytes) throws IOException {
        byte[] bytes = new byte[lengthBytes];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 + (i >>> 9));
        }
        Path data = directory.resolve("blk_" + blockId);
        Path checksums = directory.resolve("blk_" + blockId + "_1.meta");
        write(data, bytes);
        write(checksums, new byte[HEADER_BYTES + 4 * (lengthBytes / 512)]);
        return new BlockFiles(volume, () -> data, () -> checksums, 1, lengthBytes);
    }

    private static void write(Path path, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes));
        }
        PageCache.evict(path);
    }

    private FsVolumeReference obtain() throws Throwable {
        turns.acquire();
        if (closed) {
            throw new ClosedChannelException();
        }
        Supplier<? extends Throwable> fails = failure;
        if (fails != null) {
            throw fails.get();
        }
        references.incrementAndGet();
        return proxy(FsVolumeReference.class, (proxy, method, arguments) -> {
            if (method.getName().equals("close")) {
                references.decrementAndGet();
            }
            return method.getName().equals("getVolume") ? volume : null;
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
