/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import java.lang.reflect.Field;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hadoop.hdfs.DFSClient;

/** HDFS's hedged reads. The first client that wants them switches them on for all clients of its JVM, and nothing switches them off. */
final class HedgedReads {

    private HedgedReads() {}

    /** Switches them off, so that tests that follow in this JVM read as their own clients are configured. No client may be reading. */
    static void switchOff() {
        try {
            Field field = DFSClient.class.getDeclaredField("HEDGED_READ_THREAD_POOL");
            field.setAccessible(true);
            ThreadPoolExecutor pool = (ThreadPoolExecutor) field.get(null);
            if (pool != null) {
                field.set(null, null);
                pool.shutdown();
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("DFSClient keeps its pool of hedged reads elsewhere in this version of Hadoop", e);
        }
    }
}
