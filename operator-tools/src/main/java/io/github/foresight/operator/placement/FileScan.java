/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/** Walks the files of a directory with their blocks, a listing at a time. It leaves out files that are deleted during the walk. */
final class FileScan {

    private final DFSClient client;

    /** A visitor of files. */
    @FunctionalInterface
    interface Visitor {
        void visit(String path, HdfsFileStatus file, LocatedBlocks blocks) throws IOException, InterruptedException;
    }

    FileScan(DFSClient client) {
        this.client = client;
    }

    /**
     * Visits a file, or all files below a directory.
     *
     * @throws FileNotFoundException if the path does not exist
     */
    void run(String root, Visitor visitor) throws IOException, InterruptedException {
        HdfsFileStatus status = client.getFileInfo(root);
        if (status == null) {
            throw new FileNotFoundException("there is no " + root);
        }
        if (!status.isDirectory()) {
            visitor.visit(root, status, client.getLocatedBlocks(root, 0, Long.MAX_VALUE));
            return;
        }
        Deque<String> directories = new ArrayDeque<>();
        directories.push(root);
        while (!directories.isEmpty()) {
            list(directories.pop(), directories, visitor);
        }
    }

    private void list(String directory, Deque<String> below, Visitor visitor) throws IOException, InterruptedException {
        byte[] after = HdfsFileStatus.EMPTY_NAME;
        while (true) {
            DirectoryListing listing = client.listPaths(directory, after, true);
            if (listing == null) {
                return; // The directory was deleted after its parent was listed.
            }
            for (HdfsFileStatus entry : listing.getPartialListing()) {
                String path = entry.getFullName(directory);
                if (entry.isDirectory()) {
                    below.push(path);
                } else if (entry instanceof HdfsLocatedFileStatus) {
                    visitor.visit(path, entry, ((HdfsLocatedFileStatus) entry).getLocatedBlocks());
                }
            }
            if (!listing.hasMore()) {
                return;
            }
            after = listing.getLastName();
        }
    }
}
