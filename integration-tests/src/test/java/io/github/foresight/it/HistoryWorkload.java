/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import io.github.foresight.it.HistoryLog.Kind;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.OpenedLayout;
import org.apache.hadoop.hdfs.web.WebHdfsFileSystem;

/**
 * Random opens and changes of a few files, each written to a log.
 *
 * <p>A version of a file is its length, and no other version has the same length. The length is a multiple of {@link #SLOTS} plus the client's
 * number. So an open shows the version without a read. A version's content follows from the version it was appended to and from its own number
 * ({@link #fill}).
 */
final class HistoryWorkload implements Runnable {

    static final String ROOT = "/history";
    static final int DIRECTORIES = 4;

    private static final int FILES = 4;
    private static final int SLOTS = 8;
    private static final long PAUSE_MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(8);
    private static final String AWAY = ".away";

    /** The generator of version numbers, shared by all threads of a client. Thread-safe. */
    static final class Versions {
        private final int slot;
        private final AtomicLong last;

        /**
         * Makes a generator.
         *
         * @param slot the client's number, which is the remainder of all its versions by {@link #SLOTS}
         * @param beyond a version below all new versions
         */
        Versions(int slot, long beyond) {
            this.slot = slot;
            this.last = new AtomicLong(beyond / SLOTS);
        }

        long next() {
            return last.incrementAndGet() * SLOTS + slot;
        }

        long nextBeyond(long version) {
            return last.updateAndGet(before -> Math.max(before, version / SLOTS) + 1) * SLOTS + slot;
        }
    }

    private final FileSystem fs;
    private final HistoryLog log;
    private final Versions versions;
    private final AtomicBoolean isStopped;
    private final Random random;

    /** The only directory that this client renames. No other client renames the directory. Null if this thread renames none. */
    private final String ownDirectory;

    private int current;

    HistoryWorkload(
            FileSystem fs, HistoryLog log, Versions versions, AtomicBoolean isStopped, long seed, String ownDirectory) {
        this.fs = fs;
        this.log = log;
        this.versions = versions;
        this.isStopped = isStopped;
        this.random = new Random(seed);
        this.ownDirectory = ownDirectory;
    }

    static String directory(int number) {
        return ROOT + "/d" + number;
    }

    /** Returns a part of a version's content. Bytes from the version that was appended to are not included. */
    static byte[] fill(long version, long from, long to) {
        byte[] bytes = new byte[Math.toIntExact(to - from)];
        for (int i = 0; i < bytes.length; i++) {
            long mixed = (version * 0x9E3779B97F4A7C15L) ^ ((from + i) * 0xC2B2AE3D27D4EB4FL);
            bytes[i] = (byte) (mixed >>> 32);
        }
        return bytes;
    }

    static void makeDirectories(FileSystem fs) throws IOException {
        for (int i = 0; i < DIRECTORIES; i++) {
            fs.mkdirs(new Path(directory(i)));
        }
        fs.mkdirs(new Path(ROOT, "new"));
        fs.mkdirs(new Path(ROOT, "gone"));
    }

    @Override
    public void run() {
        boolean isWeb = fs instanceof WebHdfsFileSystem;
        while (!isStopped.get()) {
            int dice = random.nextInt(1000);
            if (dice < 880) {
                open();
            } else {
                change(dice - 880);
            }
            LockSupport.parkNanos((long) (random.nextDouble() * PAUSE_MAX_NANOS * (isWeb ? 10 : 1)));
        }
    }

    private void change(int dice) {
        if (dice < 35) {
            replace(anyFile());
        } else if (dice < 45) {
            attempt(Kind.CREATE, anyFile(), versions.next(), this::writeNew);
        } else if (dice < 65) {
            append(anyFile());
        } else if (dice < 77) {
            attempt(Kind.DELETE, anyFile(), -versions.next(), (path, value) -> {
                if (!fs.delete(path, false)) {
                    throw new FileNotFoundException(path.toString());
                }
            });
        } else if (dice < 89) {
            attempt(
                    Kind.RENAME_AWAY,
                    anyFile(),
                    -versions.next(),
                    (path, value) -> rename(path, new Path(ROOT + "/gone", "f" + value)));
        } else if (dice < 114 || ownDirectory == null) {
            attempt(
                    Kind.SET_PERMISSION,
                    anyFile(),
                    0,
                    (path, value) ->
                            fs.setPermission(path, new FsPermission((short) (random.nextBoolean() ? 0644 : 0640))));
        } else {
            renameDirectory();
        }
    }

    private String file(int number) {
        return directory(number / FILES) + "/f" + number % FILES;
    }

    private String anyFile() {
        return file(random.nextInt(DIRECTORIES * FILES));
    }

    /** Returns the next file to open. Half of the opens follow the files' order, so that there is an order to predict. */
    private String nextFile() {
        int files = DIRECTORIES * FILES;
        current = random.nextBoolean() ? (current + 1) % files : random.nextInt(files);
        return file(current);
    }

    /** The part of an operation that may fail. */
    private interface Attempt {
        void run(Path path, long value) throws IOException;
    }

    private boolean attempt(Kind kind, String path, long value, Attempt attempt) {
        long id = log.begin(kind, path, value);
        try {
            attempt.run(new Path(path), value);
            log.end(id, HistoryLog.DONE, value, 0);
            return true;
        } catch (IOException | RuntimeException e) {
            failed(id, e);
            return false;
        }
    }

    private void failed(long id, Exception e) {
        log.end(id, e.getClass().getSimpleName(), 0, 0);
        if (e instanceof RuntimeException) {
            e.printStackTrace();
        }
    }

    private void open() {
        String path = nextFile();
        long id = log.begin(Kind.OPEN, path, 0);
        if (fs instanceof WebHdfsFileSystem) {
            try {
                log.end(id, HistoryLog.DONE, fs.getFileStatus(new Path(path)).getLen(), 0);
            } catch (IOException | RuntimeException e) {
                failed(id, e);
            }
            return;
        }
        FSDataInputStream opened;
        long length;
        try {
            opened = fs.open(new Path(path));
            length = Math.max(0, OpenedLayout.closedLength(opened));
        } catch (IOException | RuntimeException e) {
            failed(id, e);
            return;
        }
        log.end(id, HistoryLog.DONE, length, 0);
        readContent(opened, path, length);
    }

    private void readContent(FSDataInputStream opened, String path, long length) {
        boolean isRead = length > 0 && random.nextInt(16) == 0;
        long id = isRead ? log.begin(Kind.CONTENT, path, length) : 0;
        try (FSDataInputStream in = opened) {
            if (isRead) {
                byte[] bytes = new byte[Math.toIntExact(length)];
                in.readFully(0, bytes);
                CRC32 crc = new CRC32();
                crc.update(bytes);
                log.end(id, HistoryLog.DONE, length, crc.getValue());
            }
        } catch (IOException | RuntimeException e) {
            if (isRead) {
                failed(id, e);
            }
        }
    }

    private void replace(String path) {
        Path elsewhere = new Path(ROOT + "/new", "f" + versions.next());
        if (!attempt(Kind.REPLACE, path, versions.next(), (to, value) -> {
            writeNew(elsewhere, value);
            rename(elsewhere, to);
        })) {
            try {
                fs.delete(elsewhere, false);
            } catch (IOException e) {
                // The file stays there, and no client looks there.
            }
        }
    }

    /** Writes a new file without making its directory, which may be renamed away. */
    private void writeNew(Path path, long value) throws IOException {
        try (OutputStream out = fs.createFile(path).overwrite(true).build()) {
            out.write(fill(value, 0, value));
        }
    }

    private void append(String path) {
        if (fs instanceof WebHdfsFileSystem) {
            // WebHDFS does not show the length at which an append begins.
            return;
        }
        long id = log.begin(Kind.APPEND, path, 0);
        try {
            long value;
            try (FSDataOutputStream out = fs.append(new Path(path))) {
                long base = out.getPos();
                value = versions.nextBeyond(base);
                log.appends(id, base, value);
                out.write(fill(value, base, value));
            }
            log.end(id, HistoryLog.DONE, value, 0);
        } catch (IOException | RuntimeException e) {
            failed(id, e);
        }
    }

    private void renameDirectory() {
        Path away = new Path(ownDirectory + AWAY);
        if (attempt(Kind.DIRECTORY_AWAY, ownDirectory, 0, (path, value) -> rename(path, away))) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(30)));
        }
        bringBack();
    }

    /** Renames the directory back, even if an earlier process of this client renamed it away. */
    void bringBack() {
        if (ownDirectory != null) {
            attempt(
                    Kind.DIRECTORY_BACK,
                    ownDirectory,
                    0,
                    (path, value) -> rename(new Path(ownDirectory + AWAY), path, Options.Rename.NONE));
        }
    }

    private void rename(Path from, Path to) throws IOException {
        rename(from, to, Options.Rename.OVERWRITE);
    }

    private void rename(Path from, Path to, Options.Rename option) throws IOException {
        if (fs instanceof WebHdfsFileSystem web) {
            web.rename(from, to, option);
        } else {
            ((DistributedFileSystem) fs).rename(from, to, option);
        }
    }
}
