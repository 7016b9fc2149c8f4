/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.github.foresight.datanode.settings.DataNodeSettings;
import io.github.foresight.protocol.conf.InvalidValueException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the DataNode's data set: HDFS's own with read-ahead and preallocation, or, where all is switched off or misconfigured, HDFS's own.
 *
 * <p>Named in {@code dfs.datanode.fsdataset.factory}. Stands in HDFS's package because {@code FsDatasetImpl} and its
 * constructor are package-private.
 */
public final class ForesightDatasetFactory extends FsDatasetSpi.Factory<FsDatasetImpl> {

    private static final Logger LOG = LoggerFactory.getLogger(ForesightDatasetFactory.class);

    @Override
    public FsDatasetImpl newInstance(DataNode datanode, DataStorage storage, Configuration conf) throws IOException {
        DataNodeSettings settings;
        try {
            settings = DataNodeSettings.read(conf::get, hdfsLockedBytes(conf));
        } catch (InvalidValueException e) {
            LOG.error("Foresight stays off: {}", e.getMessage());
            return new FsDatasetImpl(datanode, storage, conf);
        }
        if (!settings.isAnyEnabled()) {
            LOG.info("Foresight is switched off by configuration");
            return new FsDatasetImpl(datanode, storage, conf);
        }
        return new ForesightDataset(datanode, storage, conf, settings);
    }

    private static long hdfsLockedBytes(Configuration conf) {
        return conf.getLongBytes(
                DFSConfigKeys.DFS_DATANODE_MAX_LOCKED_MEMORY_KEY, DFSConfigKeys.DFS_DATANODE_MAX_LOCKED_MEMORY_DEFAULT);
    }
}
