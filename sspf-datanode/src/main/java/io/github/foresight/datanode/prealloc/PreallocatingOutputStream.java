/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prealloc;

import io.github.foresight.datanode.stream.BlockOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;

/** Tells a {@link ReplicaSpace} of each write before it is made, and of the stream's end before the file is closed. */
public final class PreallocatingOutputStream extends BlockOutputStream {

    private final ReplicaSpace space;
    private long position;

    PreallocatingOutputStream(FileOutputStream stock, ReplicaSpace space, long position) throws IOException {
        super(stock);
        this.space = space;
        this.position = position;
    }

    @Override
    protected void beforeWrite(int bytes) {
        space.beforeWrite(position, bytes);
    }

    @Override
    protected void afterWrite(int bytes) {
        position += bytes;
    }

    @Override
    protected void beforeClose() {
        space.end();
    }
}
