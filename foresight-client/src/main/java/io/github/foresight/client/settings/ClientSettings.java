/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.settings;

import io.github.foresight.client.lease.LeaseTerms;
import io.github.foresight.client.lease.PlainPaths;
import io.github.foresight.client.vectored.VectoredReads;
import io.github.foresight.core.vectored.RangeMerger;
import io.github.foresight.core.window.WindowKind;
import io.github.foresight.core.window.WindowSettings;
import io.github.foresight.protocol.conf.ClientKeys;
import io.github.foresight.protocol.conf.ClientKeys.Consistency;
import io.github.foresight.protocol.conf.ConfKey;
import io.github.foresight.protocol.conf.KeyValues;
import io.github.foresight.protocol.conf.Role;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.jspecify.annotations.Nullable;

/** The client's configuration, read and checked once; immutable. */
public final class ClientSettings {

    /** DfsClientConf's own factor between block size and read prefetch size. */
    private static final int STOCK_LAYOUT_BLOCKS = 10;

    private static final long MIB = 1 << 20;

    /** At about 64 bytes of heap each. */
    private static final int MOST_TRAIL_OBJECTS = 65_536;

    /** A parked call is not kept longer, so that a NameNode that died is noticed. Chosen, not measured. */
    private static final Duration PARK_MAX = Duration.ofSeconds(30);

    private final KeyValues values;
    private final Duration parkMax;
    private final long layoutRequestBytes;
    private final long hintedLayoutBytes;
    private final boolean hints;
    private final long hintedFileMinBytes;
    private final long beginBytes;
    private final boolean connectsByHostname;
    private final boolean readsShortCircuit;

    private ClientSettings(KeyValues values, Configuration conf) {
        this.values = values;
        int rpcTimeoutMillis = conf.getInt(
                CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY,
                CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_DEFAULT);
        Duration rpcHalf = Duration.ofMillis(Math.max(1, rpcTimeoutMillis / 2));
        this.parkMax = rpcTimeoutMillis > 0 && rpcHalf.compareTo(PARK_MAX) < 0 ? rpcHalf : PARK_MAX;
        this.hints = get(ClientKeys.HINT_ENABLED);
        this.hintedFileMinBytes = get(ClientKeys.HINT_MIN_BYTES);
        this.beginBytes = (get(ClientKeys.HINT_EVIDENCE) + MIB - 1) / MIB * MIB;
        long blockSize =
                conf.getLongBytes(HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY, HdfsClientConfigKeys.DFS_BLOCK_SIZE_DEFAULT);
        this.layoutRequestBytes =
                conf.getLong(HdfsClientConfigKeys.Read.PREFETCH_SIZE_KEY, STOCK_LAYOUT_BLOCKS * blockSize);
        this.hintedLayoutBytes = blockSize * get(ClientKeys.HINT_WINDOW_BLOCKS);
        this.connectsByHostname = conf.getBoolean(
                HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
                HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
        this.readsShortCircuit = conf.getBoolean(
                HdfsClientConfigKeys.Read.ShortCircuit.KEY, HdfsClientConfigKeys.Read.ShortCircuit.DEFAULT);
    }

    /**
     * Reads and checks all of a client's keys.
     *
     * @throws io.github.foresight.protocol.conf.InvalidValueException naming the first key with a value it does not accept
     */
    public static ClientSettings read(Configuration conf) {
        return new ClientSettings(KeyValues.read(Role.CLIENT, conf::get), conf);
    }

    /** Whether anything at all is to be done. */
    public boolean isEnabled() {
        return hints() || keepsLayouts() || get(ClientKeys.WINDOW_ENABLED);
    }

    /** Whether layouts are kept. */
    public boolean keepsLayouts() {
        return get(ClientKeys.METADATA_ENABLED) && get(ClientKeys.CONSISTENCY) != Consistency.OFF;
    }

    /** Whether layouts are kept under leases only. Layouts of {@linkplain #isImmutable immutable} files are kept without. */
    public boolean isStrict() {
        return get(ClientKeys.CONSISTENCY) == Consistency.STRICT;
    }

    /** Whether a path is below a directory whose files never change. */
    public boolean isImmutable(String path) {
        for (String directory : get(ClientKeys.IMMUTABLE_PATHS)) {
            if (PlainPaths.isBelow(directory, path)) {
                return PlainPaths.isPlain(path);
            }
        }
        return false;
    }

    /** How leases are used. */
    public LeaseTerms leaseTerms() {
        return new LeaseTerms(get(ClientKeys.LEASE), parkMax);
    }

    /** Whether DataNodes get hints of the blocks that the readers of open files will reach. */
    public boolean hints() {
        return hints;
    }

    /** A file of one block that is shorter is not hinted, bytes. */
    public long hintedFileMinBytes() {
        return hintedFileMinBytes;
    }

    /**
     * The bytes of a file's begin that are hinted before its stream has shown that it reads in sequence. Whole MiB, so whole pages and checksum
     * chunks; a block may be shorter.
     */
    public long beginBytes() {
        return beginBytes;
    }

    /** How many of the last bytes of a predicted file are read first, by its name; 0 for none. */
    public long footerBytes(String path) {
        for (String suffix : get(ClientKeys.DATA_FOOTER_SUFFIXES)) {
            if (path.endsWith(suffix)) {
                return get(ClientKeys.DATA_FOOTER);
            }
        }
        return 0;
    }

    /** The shape of the windows about random reads. */
    public WindowSettings windows() {
        int first = get(ClientKeys.WINDOW_OBJECTS_FIRST);
        return new WindowSettings(
                get(ClientKeys.WINDOW_KIND) == ClientKeys.WindowShape.FORWARD ? WindowKind.FORWARD : WindowKind.WING,
                get(ClientKeys.WINDOW_OBJECT),
                first,
                Math.max(first, get(ClientKeys.WINDOW_OBJECTS_MAX)),
                (int) Math.min(MOST_TRAIL_OBJECTS, get(ClientKeys.WINDOW_TRAIL) / get(ClientKeys.WINDOW_OBJECT)));
    }

    /** Whether a file's status is answered from its cached layout's reply: only under a lease, for every change recalls that. */
    public boolean servesStatuses() {
        return isStrict() && get(ClientKeys.METADATA_STATUS_ENABLED);
    }

    /** The vectored reads that the streams of one file system share, or null where HDFS reads ranges. */
    @Nullable
    public VectoredReads vectoredReads() {
        return get(ClientKeys.VECTORED_ENABLED)
                ? new VectoredReads(
                        get(ClientKeys.VECTORED_THREADS),
                        new RangeMerger(
                                Math.toIntExact(get(ClientKeys.VECTORED_GAP)),
                                Math.toIntExact(get(ClientKeys.VECTORED_MERGED_MAX))))
                : null;
    }

    /** The value of a key, checked when the settings were read. */
    public <T> T get(ConfKey<T> key) {
        return values.get(key);
    }

    /** How much layout a stock stream asks for, bytes of file; the length that an open requests. */
    public long layoutRequestBytes() {
        return layoutRequestBytes;
    }

    /** How much layout is asked for in the background, bytes of file. */
    public long hintedLayoutBytes() {
        return hintedLayoutBytes;
    }

    boolean connectsByHostname() {
        return connectsByHostname;
    }

    /** Whether replicas on this host are read past the DataNode. */
    public boolean readsShortCircuit() {
        return readsShortCircuit;
    }
}
