/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.lease;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A recall that a NameNode thread without an RPC waits for, for example a thread of the web server. */
final class AwaitedRecall implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(AwaitedRecall.class);

    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean isNeeded;

    /** Called before the recall can be over. */
    AwaitedRecall needed() {
        isNeeded = true;
        return this;
    }

    @Override
    public void run() {
        over.countDown();
    }

    /** Returns at once if no recall is needed. */
    void await(long nanosMax) {
        if (!isNeeded) {
            return;
        }
        try {
            if (!over.await(nanosMax, TimeUnit.NANOSECONDS)) {
                LOG.warn("A recall of layouts is not over after {} ms", TimeUnit.NANOSECONDS.toMillis(nanosMax));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
