/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.ReadableFile;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.Refusal;

/** Records the answers of a {@link NamespaceReader}. */
class RecordedAnswers implements NamespaceReader.Answers {

    final List<ReadableFile> files = new ArrayList<>();
    final List<Refusal> refusals = new ArrayList<>();
    final List<Throwable> failures = new ArrayList<>();

    List<String> paths() {
        return files.stream().map(ReadableFile::path).collect(Collectors.toList());
    }

    @Override
    public void readable(ReadableFile file) {
        files.add(file);
    }

    @Override
    public void refused(Refusal reason) {
        refusals.add(reason);
    }

    @Override
    public void failed(Throwable cause) {
        failures.add(cause);
    }
}
