/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import java.io.IOException;

/** A file is not opened because the {@link FileBudget} has no room; the file is read as with stock HDFS. */
public final class OverBudgetException extends IOException {

    private static final long serialVersionUID = 1L;

    OverBudgetException(String message) {
        super(message);
    }
}
