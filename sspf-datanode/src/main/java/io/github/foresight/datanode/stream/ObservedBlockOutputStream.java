/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.stream;

import java.io.FileOutputStream;
import java.io.IOException;

/** Reports each write of a block, so that prefetches give way. */
public final class ObservedBlockOutputStream extends BlockOutputStream {

    private final Runnable onWrite;

    /**
     * A stream in place of HDFS's.
     *
     * @param onWrite runs after each write; never waits
     */
    public ObservedBlockOutputStream(FileOutputStream stock, Runnable onWrite) throws IOException {
        super(stock);
        this.onWrite = onWrite;
    }

    @Override
    protected void afterWrite(int bytes) {
        onWrite.run();
    }
}
