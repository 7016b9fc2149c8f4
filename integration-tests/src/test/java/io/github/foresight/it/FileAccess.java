/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.CreateOpts;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The same operations by a {@link FileSystem} or by a {@link FileContext}. */
interface FileAccess extends Closeable {

    FSDataInputStream open(Path path) throws IOException;

    /** Creates a file, or replaces it. */
    OutputStream create(Path path) throws IOException;

    OutputStream append(Path path) throws IOException;

    /** Renames a file, and replaces the file at the other path. */
    void rename(Path path, Path other) throws IOException;

    void delete(Path path) throws IOException;

    static FileAccess of(DistributedFileSystem fs) {
        return new FileAccess() {
            @Override
            public FSDataInputStream open(Path path) throws IOException {
                return fs.open(path);
            }

            @Override
            public OutputStream create(Path path) throws IOException {
                return fs.create(path, true);
            }

            @Override
            public OutputStream append(Path path) throws IOException {
                return fs.append(path);
            }

            @Override
            public void rename(Path path, Path other) throws IOException {
                fs.rename(path, other, Rename.OVERWRITE);
            }

            @Override
            public void delete(Path path) throws IOException {
                fs.delete(path, true);
            }

            @Override
            public void close() throws IOException {
                fs.close();
            }
        };
    }

    static FileAccess of(FileContext context) {
        return new FileAccess() {
            @Override
            public FSDataInputStream open(Path path) throws IOException {
                return context.open(path);
            }

            @Override
            public OutputStream create(Path path) throws IOException {
                return context.create(
                        path, EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE), CreateOpts.createParent());
            }

            @Override
            public OutputStream append(Path path) throws IOException {
                return context.create(path, EnumSet.of(CreateFlag.APPEND));
            }

            @Override
            public void rename(Path path, Path other) throws IOException {
                context.rename(path, other, Rename.OVERWRITE);
            }

            @Override
            public void delete(Path path) throws IOException {
                context.delete(path, true);
            }

            @Override
            public void close() {
                // A context has nothing to close.
            }
        };
    }
}
