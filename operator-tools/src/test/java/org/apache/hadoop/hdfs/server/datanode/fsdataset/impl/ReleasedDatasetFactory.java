/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;

/** A factory as the release's jar for DataNodes has it: in HDFS's package, to reach package-private members. */
public final class ReleasedDatasetFactory extends FsDatasetSpi.Factory<FsDatasetImpl> {

    /** A data set that is HDFS's own. */
    public static final class ReleasedDataset extends FsDatasetImpl {
        ReleasedDataset(DataNode node, DataStorage storage, Configuration conf) throws IOException {
            super(node, storage, conf);
        }
    }

    @Override
    public FsDatasetImpl newInstance(DataNode node, DataStorage storage, Configuration conf) throws IOException {
        return new ReleasedDataset(node, storage, conf);
    }
}
