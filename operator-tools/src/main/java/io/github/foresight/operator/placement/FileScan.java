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

/** Walks a directory's files with their blocks, a listing at a time; files that are deleted meanwhile are left out. */
final class FileScan {

    private final DFSClient client;

    /** Receives a file. */
    @FunctionalInterface
    interface Visitor {
        void visit(String path, HdfsFileStatus file, LocatedBlocks blocks) throws IOException, InterruptedException;
    }

    FileScan(DFSClient client) {
        this.client = client;
    }

    /**
     * Visits a file, or all below a directory.
     *
     * @throws FileNotFoundException if there is nothing at the path
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
                return; // deleted since
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
