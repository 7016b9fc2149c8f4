/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.lease;

import java.io.IOException;
import org.apache.hadoop.ipc.Server;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An RPC that HDFS has carried out and whose answer waits, as HDFS's edit log postpones it until the edit is on disk. The handler goes on
 * with other calls.
 */
final class PostponedAnswer implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(PostponedAnswer.class);

    private final Server.Call call;

    PostponedAnswer(Server.Call call) {
        this.call = call;
        call.postponeResponse();
    }

    /** Lets the answer go, unless the edit log still postpones it. */
    @Override
    public void run() {
        try {
            call.sendResponse();
        } catch (IOException e) {
            // As on a handler: the connection is closed, so that no client can receive the error.
            LOG.debug("{} could not be answered", call, e);
        }
    }
}
