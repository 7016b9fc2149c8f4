/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LastBlockWithStatus;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB;
import org.apache.hadoop.io.EnumSetWritable;

/** HDFS's translator to the NameNode, which tells of files that this client changes. Thread-safe. */
abstract class ChangeObservingTranslator extends ClientNamenodeProtocolTranslatorPB {

    ChangeObservingTranslator(ClientNamenodeProtocolPB nameNode) {
        super(nameNode);
    }

    /**
     * This client has changed files, or directories and so what is below them, or has tried to: whether or not it seems to have
     * succeeded.
     */
    abstract void changed(String... paths);

    @Override
    public boolean setReplication(String path, short replication) throws IOException {
        try {
            return super.setReplication(path, replication);
        } finally {
            changed(path);
        }
    }

    @Override
    public void setPermission(String path, FsPermission permission) throws IOException {
        try {
            super.setPermission(path, permission);
        } finally {
            changed(path);
        }
    }

    @Override
    public void setOwner(String path, String user, String group) throws IOException {
        try {
            super.setOwner(path, user, group);
        } finally {
            changed(path);
        }
    }

    @Override
    public void setTimes(String path, long modified, long accessed) throws IOException {
        try {
            super.setTimes(path, modified, accessed);
        } finally {
            changed(path);
        }
    }

    @Override
    public void setStoragePolicy(String path, String policy) throws IOException {
        try {
            super.setStoragePolicy(path, policy);
        } finally {
            changed(path);
        }
    }

    @Override
    public void unsetStoragePolicy(String path) throws IOException {
        try {
            super.unsetStoragePolicy(path);
        } finally {
            changed(path);
        }
    }

    @Override
    public HdfsFileStatus create(
            String path,
            FsPermission masked,
            String clientName,
            EnumSetWritable<CreateFlag> flags,
            boolean createParent,
            short replication,
            long blockSize,
            CryptoProtocolVersion[] supportedVersions,
            String ecPolicyName,
            String storagePolicy)
            throws IOException {
        try {
            return super.create(
                    path,
                    masked,
                    clientName,
                    flags,
                    createParent,
                    replication,
                    blockSize,
                    supportedVersions,
                    ecPolicyName,
                    storagePolicy);
        } finally {
            changed(path);
        }
    }

    @Override
    public LastBlockWithStatus append(String path, String clientName, EnumSetWritable<CreateFlag> flags)
            throws IOException {
        try {
            return super.append(path, clientName, flags);
        } finally {
            changed(path);
        }
    }

    @Override
    public boolean truncate(String path, long newLength, String clientName) throws IOException {
        try {
            return super.truncate(path, newLength, clientName);
        } finally {
            changed(path);
        }
    }

    @Override
    public void concat(String target, String[] sources) throws IOException {
        try {
            super.concat(target, sources);
        } finally {
            changed(target);
            changed(sources);
        }
    }

    @Override
    @SuppressWarnings("deprecation") // as long as HDFS has it
    public boolean rename(String source, String target) throws IOException {
        try {
            return super.rename(source, target);
        } finally {
            changed(source, target);
        }
    }

    @Override
    public void rename2(String source, String target, Options.Rename... options) throws IOException {
        try {
            super.rename2(source, target, options);
        } finally {
            changed(source, target);
        }
    }

    @Override
    public boolean delete(String path, boolean recursive) throws IOException {
        try {
            return super.delete(path, recursive);
        } finally {
            changed(path);
        }
    }

    @Override
    public void modifyAclEntries(String path, List<AclEntry> entries) throws IOException {
        try {
            super.modifyAclEntries(path, entries);
        } finally {
            changed(path);
        }
    }

    @Override
    public void removeAclEntries(String path, List<AclEntry> entries) throws IOException {
        try {
            super.removeAclEntries(path, entries);
        } finally {
            changed(path);
        }
    }

    @Override
    public void removeDefaultAcl(String path) throws IOException {
        try {
            super.removeDefaultAcl(path);
        } finally {
            changed(path);
        }
    }

    @Override
    public void removeAcl(String path) throws IOException {
        try {
            super.removeAcl(path);
        } finally {
            changed(path);
        }
    }

    @Override
    public void setAcl(String path, List<AclEntry> entries) throws IOException {
        try {
            super.setAcl(path, entries);
        } finally {
            changed(path);
        }
    }

    @Override
    public void createEncryptionZone(String path, String keyName) throws IOException {
        try {
            super.createEncryptionZone(path, keyName);
        } finally {
            changed(path);
        }
    }

    @Override
    public void deleteSnapshot(String root, String name) throws IOException {
        try {
            super.deleteSnapshot(root, name);
        } finally {
            changed(root + "/.snapshot/" + name);
        }
    }

    @Override
    public void renameSnapshot(String root, String from, String to) throws IOException {
        try {
            super.renameSnapshot(root, from, to);
        } finally {
            changed(root + "/.snapshot/" + from);
        }
    }
}
