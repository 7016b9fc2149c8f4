/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.MultipartUploaderBuilder;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.util.Progressable;

/**
 * {@link ForesightFileSystem} for {@code FileContext}; named in {@code fs.AbstractFileSystem.hdfs.impl}.
 *
 * <p>HDFS's own class for {@code FileContext} has no constructor that another package may call. So this class hands each call on to the
 * file system. Where the base class would do without an operation of HDFS, or would make two requests of one, the call is handed on here.
 * Thread-safe.
 *
 * <p>Source: {@code org.apache.hadoop.fs.Hdfs} of Hadoop 3.3 to 3.5, which does the same with a {@code DFSClient}.
 */
public final class ForesightFs extends DelegateToFileSystem {

    /** Called by Hadoop through reflection. */
    public ForesightFs(URI uri, Configuration conf) throws IOException, URISyntaxException {
        super(uri, new ForesightFileSystem(), conf, HdfsConstants.HDFS_URI_SCHEME, true);
    }

    private DFSClient client() {
        return ((ForesightFileSystem) fsImpl).getClient();
    }

    /** The NameNode itself looks for the parent, in the same request. */
    @Override
    public FSDataOutputStream createInternal(
            Path file,
            EnumSet<CreateFlag> flags,
            FsPermission permission,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            ChecksumOpt checksum,
            boolean createParent)
            throws IOException {
        checkPath(file);
        DFSOutputStream stream = client().primitiveCreate(
                        getUriPath(file),
                        permission,
                        flags,
                        createParent,
                        replication,
                        blockSize,
                        progress,
                        bufferSize,
                        checksum);
        return client().createWrappedOutputStream(stream, statistics, stream.getInitialLen());
    }

    @Override
    public void renameInternal(Path source, Path destination, boolean overwrite) throws IOException {
        checkPath(source);
        checkPath(destination);
        client().rename(
                        getUriPath(source),
                        getUriPath(destination),
                        overwrite ? Options.Rename.OVERWRITE : Options.Rename.NONE);
    }

    @Override
    public void msync() throws IOException {
        fsImpl.msync();
    }

    @Override
    public void access(Path path, FsAction mode) throws IOException {
        fsImpl.access(path, mode);
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path directory) throws IOException {
        return fsImpl.listStatusIterator(directory);
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path directory) throws IOException {
        return fsImpl.listLocatedStatus(directory);
    }

    @Override
    public RemoteIterator<Path> listCorruptFileBlocks(Path path) throws IOException {
        return fsImpl.listCorruptFileBlocks(path);
    }

    @Override
    public MultipartUploaderBuilder<?, ?> createMultipartUploader(Path basePath) throws IOException {
        return fsImpl.createMultipartUploader(basePath);
    }

    @Override
    public void modifyAclEntries(Path path, List<AclEntry> entries) throws IOException {
        fsImpl.modifyAclEntries(path, entries);
    }

    @Override
    public void removeAclEntries(Path path, List<AclEntry> entries) throws IOException {
        fsImpl.removeAclEntries(path, entries);
    }

    @Override
    public void removeDefaultAcl(Path path) throws IOException {
        fsImpl.removeDefaultAcl(path);
    }

    @Override
    public void removeAcl(Path path) throws IOException {
        fsImpl.removeAcl(path);
    }

    @Override
    public void setAcl(Path path, List<AclEntry> entries) throws IOException {
        fsImpl.setAcl(path, entries);
    }

    @Override
    public AclStatus getAclStatus(Path path) throws IOException {
        return fsImpl.getAclStatus(path);
    }

    @Override
    public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flags) throws IOException {
        fsImpl.setXAttr(path, name, value, flags);
    }

    @Override
    public byte[] getXAttr(Path path, String name) throws IOException {
        return fsImpl.getXAttr(path, name);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        return fsImpl.getXAttrs(path);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        return fsImpl.getXAttrs(path, names);
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        return fsImpl.listXAttrs(path);
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        fsImpl.removeXAttr(path, name);
    }

    @Override
    public Path createSnapshot(Path directory, String name) throws IOException {
        return fsImpl.createSnapshot(directory, name);
    }

    @Override
    public void renameSnapshot(Path directory, String oldName, String newName) throws IOException {
        fsImpl.renameSnapshot(directory, oldName, newName);
    }

    @Override
    public void deleteSnapshot(Path directory, String name) throws IOException {
        fsImpl.deleteSnapshot(directory, name);
    }

    @Override
    public void satisfyStoragePolicy(Path path) throws IOException {
        fsImpl.satisfyStoragePolicy(path);
    }

    @Override
    public void setStoragePolicy(Path path, String policy) throws IOException {
        fsImpl.setStoragePolicy(path, policy);
    }

    @Override
    public void unsetStoragePolicy(Path path) throws IOException {
        fsImpl.unsetStoragePolicy(path);
    }

    @Override
    public BlockStoragePolicySpi getStoragePolicy(Path path) throws IOException {
        return fsImpl.getStoragePolicy(path);
    }

    @Override
    public Collection<? extends BlockStoragePolicySpi> getAllStoragePolicies() throws IOException {
        return fsImpl.getAllStoragePolicies();
    }
}
