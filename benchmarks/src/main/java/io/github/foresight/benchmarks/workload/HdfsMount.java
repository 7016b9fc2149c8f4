/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import jnr.ffi.Pointer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import ru.serce.jnrfuse.ErrorCodes;
import ru.serce.jnrfuse.FuseFillDir;
import ru.serce.jnrfuse.FuseStubFS;
import ru.serce.jnrfuse.struct.FileStat;
import ru.serce.jnrfuse.struct.FuseFileInfo;

/**
 * HDFS as a file system of the kernel, by FUSE, so that a program that knows nothing of HDFS can read it: {@code sysbench} for one.
 *
 * <p>Argument: an empty folder. Prints {@code READY} once HDFS is mounted there. Ends with its input, and unmounts it. Files are listed, read at
 * any place, and written from front to back. Nothing is cached in the kernel. Each open file is one stream of HDFS's, which all its readers
 * share. Thread-safe: the kernel calls from many threads.
 */
public final class HdfsMount extends FuseStubFS {

    private static final Logger LOG = LoggerFactory.getLogger(HdfsMount.class);

    /** With {@code direct_io} the kernel neither reads ahead nor keeps pages. */
    private static final String[] OPTIONS = {"-o", "direct_io,big_writes"};

    private static final int FOLDER_MODE = FileStat.S_IFDIR | 0755;
    private static final int FILE_MODE = FileStat.S_IFREG | 0644;

    private final FileSystem fs;
    private final AtomicLong handles = new AtomicLong();
    private final Map<Long, FSDataInputStream> inputs = new ConcurrentHashMap<>();
    private final Map<Long, FSDataOutputStream> outputs = new ConcurrentHashMap<>();

    private HdfsMount(FileSystem fs) {
        this.fs = fs;
    }

    public static void main(String[] args) throws IOException {
        try (FileSystem fs = FileSystem.newInstance(new Configuration())) {
            HdfsMount mount = new HdfsMount(fs);
            mount.mount(java.nio.file.Path.of(args[0]), false, false, OPTIONS);
            System.out.println("READY");
            while (System.in.read() >= 0) {
                // Its end is awaited.
            }
            mount.umount();
        }
    }

    /** A call of the kernel. */
    @FunctionalInterface
    private interface Call {
        int run() throws IOException;
    }

    /** The result of a call, or the kernel's number for its failure. */
    private static int answered(String path, Call call) {
        try {
            return call.run();
        } catch (FileNotFoundException e) {
            return -ErrorCodes.ENOENT();
        } catch (IOException | RuntimeException e) {
            LOG.error("{} failed", path, e);
            return -ErrorCodes.EIO();
        }
    }

    @Override
    public int getattr(String path, FileStat stat) {
        return answered(path, () -> {
            FileStatus status = fs.getFileStatus(new Path(path));
            stat.st_mode.set(status.isDirectory() ? FOLDER_MODE : FILE_MODE);
            stat.st_size.set(status.getLen());
            stat.st_nlink.set(1);
            return 0;
        });
    }

    @Override
    public int readdir(String path, Pointer buffer, FuseFillDir filler, long offset, FuseFileInfo info) {
        return answered(path, () -> {
            for (FileStatus file : fs.listStatus(new Path(path))) {
                filler.apply(buffer, file.getPath().getName(), null, 0);
            }
            return 0;
        });
    }

    @Override
    public int open(String path, FuseFileInfo info) {
        return answered(path, () -> {
            long handle = handles.incrementAndGet();
            inputs.put(handle, fs.open(new Path(path)));
            info.fh.set(handle);
            return 0;
        });
    }

    @Override
    public int create(String path, long mode, FuseFileInfo info) {
        return answered(path, () -> {
            long handle = handles.incrementAndGet();
            outputs.put(handle, fs.create(new Path(path), true));
            info.fh.set(handle);
            return 0;
        });
    }

    /** Fewer bytes than asked for mean the end of the file. */
    @Override
    public int read(String path, Pointer buffer, long size, long offset, FuseFileInfo info) {
        FSDataInputStream in = inputs.get(info.fh.get());
        if (in == null) {
            return -ErrorCodes.EBADF();
        }
        return answered(path, () -> {
            byte[] bytes = new byte[Math.toIntExact(size)];
            int got = 0;
            for (int n = 0; n >= 0 && got < bytes.length; got += Math.max(0, n)) {
                n = in.read(offset + got, bytes, got, bytes.length - got);
            }
            buffer.put(0, bytes, 0, got);
            return got;
        });
    }

    /** HDFS writes from front to back only, and a file that exists already is not written. */
    @Override
    public int write(String path, Pointer buffer, long size, long offset, FuseFileInfo info) {
        FSDataOutputStream out = outputs.get(info.fh.get());
        if (out == null) {
            return -ErrorCodes.EOPNOTSUPP();
        }
        return answered(path, () -> {
            byte[] bytes = new byte[Math.toIntExact(size)];
            buffer.get(0, bytes, 0, bytes.length);
            synchronized (out) {
                if (out.getPos() != offset) {
                    return -ErrorCodes.EOPNOTSUPP();
                }
                out.write(bytes);
            }
            return bytes.length;
        });
    }

    @Override
    public int fsync(String path, int onlyData, FuseFileInfo info) {
        return answered(path, () -> {
            FSDataOutputStream out = outputs.get(info.fh.get());
            if (out != null) {
                out.hsync();
            }
            return 0;
        });
    }

    @Override
    public int unlink(String path) {
        return answered(path, () -> fs.delete(new Path(path), false) ? 0 : -ErrorCodes.ENOENT());
    }

    @Override
    public int mkdir(String path, long mode) {
        return answered(path, () -> fs.mkdirs(new Path(path)) ? 0 : -ErrorCodes.EIO());
    }

    @Override
    public int release(String path, FuseFileInfo info) {
        return answered(path, () -> {
            FSDataInputStream in = inputs.remove(info.fh.get());
            FSDataOutputStream out = outputs.remove(info.fh.get());
            if (in != null) {
                in.close();
            }
            if (out != null) {
                out.close();
            }
            return 0;
        });
    }
}
