/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.checkpoint;

import java.io.FileNotFoundException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * {@link Checkpoints.Shared} in HDFS itself: the configured path, with high availability followed by a dot and the NameNode's id. Asked by
 * one thread, which may wait for a NameNode and for DataNodes; thread-safe.
 */
final class HdfsCheckpoints implements Checkpoints.Shared {

    private static final FsPermission PRIVATE = new FsPermission((short) 0600);

    /** Nobody runs more NameNodes than that; others are not read. */
    private static final int FILES_MAX = 32;

    private final Configuration conf;
    private final URI nameservice;
    private final String path;
    private final String ownName;

    HdfsCheckpoints(Configuration conf, String path) {
        this.conf = conf;
        this.path = path;
        String id = DFSUtil.getNamenodeNameServiceId(conf);
        boolean shared = id != null && HAUtil.isHAEnabled(conf, id);
        // A NameNode's own default file system is itself, active or not.
        this.nameservice =
                shared ? URI.create(HdfsConstants.HDFS_URI_SCHEME + "://" + id) : FileSystem.getDefaultUri(conf);
        String nameNode = shared ? HAUtil.getNameNodeId(conf, id) : null;
        this.ownName = path.isEmpty() || nameNode == null ? path : path + '.' + nameNode;
    }

    @Override
    public String ownName() {
        return ownName;
    }

    private FileSystem connect() throws IOException {
        return FileSystem.newInstance(nameservice, conf);
    }

    @Override
    public Map<String, Long> list() throws IOException {
        Path one = new Path(path);
        Map<String, Long> found = new LinkedHashMap<>();
        try (FileSystem fs = connect()) {
            for (FileStatus file : fs.listStatus(one.getParent())) {
                String name = file.getPath().getName();
                boolean ours = name.equals(one.getName()) || name.startsWith(one.getName() + '.');
                boolean whole = !name.endsWith(".new") && !name.endsWith(".refused");
                if (file.isFile() && ours && whole && found.size() < FILES_MAX) {
                    found.put(new Path(one.getParent(), name).toString(), file.getModificationTime());
                }
            }
        } catch (FileNotFoundException e) {
            return found;
        }
        return found;
    }

    @Override
    public InputStream open(String name) throws IOException {
        FileSystem fs = connect();
        try {
            return new FilterInputStream(fs.open(new Path(name))) {
                @Override
                public void close() throws IOException {
                    super.close();
                    fs.close();
                }
            };
        } catch (IOException | RuntimeException e) {
            fs.close();
            throw e;
        }
    }

    @Override
    public void replaceOwn(Checkpoints.Content content) throws IOException {
        Path written = new Path(ownName + ".new");
        try (FileSystem fs = connect()) {
            try (OutputStream out = fs.create(written, true)) {
                content.writeTo(out);
            }
            fs.setPermission(written, PRIVATE);
            rename(fs, written, new Path(ownName));
        }
    }

    @Override
    public void putOwnAside() throws IOException {
        try (FileSystem fs = connect()) {
            rename(fs, new Path(ownName), new Path(ownName + ".refused"));
        }
    }

    private static void rename(FileSystem fs, Path from, Path to) throws IOException {
        ((DistributedFileSystem) fs).rename(from, to, Options.Rename.OVERWRITE);
    }
}
