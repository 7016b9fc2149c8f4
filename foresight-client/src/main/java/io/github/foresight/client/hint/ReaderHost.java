/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import java.io.IOException;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.net.NetUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The host of this JVM. Thread-safe. */
public final class ReaderHost {

    private static final Logger LOG = LoggerFactory.getLogger(ReaderHost.class);

    private ReaderHost() {}

    /** Whether a DataNode is on this host; false if that is not known. */
    public static boolean has(DatanodeInfo node) {
        try {
            return DFSUtilClient.isLocalAddress(NetUtils.createSocketAddr(node.getXferAddr()));
        } catch (IOException e) {
            LOG.debug("Whether {} is this host is not known", node, e);
            return false;
        }
    }
}
