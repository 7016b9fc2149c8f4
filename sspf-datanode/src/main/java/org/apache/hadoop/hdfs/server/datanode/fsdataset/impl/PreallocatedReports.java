/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.github.foresight.datanode.prealloc.Preallocation;
import java.util.Set;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/**
 * HDFS's storage reports, less the bytes that HDFS counts twice. Space that is preallocated for a replica is missing from the disk's free
 * space, and HDFS reserves it for the replica still. Stateless.
 */
final class PreallocatedReports {

    private static final boolean HAS_MOUNT = hasMount();

    private PreallocatedReports() {}

    /** The reports in the same order; one without preallocated space is HDFS's own. */
    static StorageReport[] of(StorageReport[] stock, Set<FsVolumeSpi> volumes, Preallocation preallocation) {
        StorageReport[] reports = stock.clone();
        for (FsVolumeSpi volume : volumes) {
            long unused = preallocation.unusedBytes(volume);
            if (unused > 0 && volume instanceof FsVolumeImpl) {
                long twice = Math.min(unused, ((FsVolumeImpl) volume).getReservedForReplicas());
                countOnce(reports, volume.getStorageID(), twice);
            }
        }
        return reports;
    }

    private static void countOnce(StorageReport[] reports, String storageId, long bytes) {
        for (int i = 0; i < reports.length; i++) {
            StorageReport report = reports[i];
            if (report.getStorage().getStorageID().equals(storageId)) {
                long remaining = Math.min(report.getRemaining() + bytes, report.getCapacity());
                long others = Math.max(0, report.getNonDfsUsed() - bytes);
                reports[i] = HAS_MOUNT ? withMount(report, remaining, others) : without(report, remaining, others);
            }
        }
    }

    private static StorageReport without(StorageReport report, long remaining, long nonDfsUsed) {
        return new StorageReport(
                report.getStorage(),
                report.isFailed(),
                report.getCapacity(),
                report.getDfsUsed(),
                remaining,
                report.getBlockPoolUsed(),
                nonDfsUsed);
    }

    /** Of Hadoop 3.4 on. */
    private static StorageReport withMount(StorageReport report, long remaining, long nonDfsUsed) {
        return new StorageReport(
                report.getStorage(),
                report.isFailed(),
                report.getCapacity(),
                report.getDfsUsed(),
                remaining,
                report.getBlockPoolUsed(),
                nonDfsUsed,
                report.getMount());
    }

    private static boolean hasMount() {
        try {
            StorageReport.class.getMethod("getMount");
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }
}
