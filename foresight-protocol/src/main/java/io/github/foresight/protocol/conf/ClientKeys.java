/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import java.time.Duration;
import java.util.Set;

/** The keys that an HDFS client reads. */
public final class ClientKeys {

    public static final ConfKey<Boolean> HINT_ENABLED = ConfKey.of(
            "foresight.client.hint.enabled",
            ValueType.bool(),
            "true",
            "Whether the client sends hints to DataNodes about the blocks that it will read.");

    public static final ConfKey<String> INNER_PROVIDER = ConfKey.of(
            "foresight.client.proxy.provider",
            ValueType.className(),
            "",
            "The failover proxy provider that Foresight's provider wraps: the one that stood in"
                    + " dfs.client.failover.proxy.provider.* before. Empty: ConfiguredFailoverProxyProvider for a"
                    + " nameservice, a plain connection for a host. A suffix with the nameservice or host name"
                    + " (foresight.client.proxy.provider.ns1) takes precedence over the plain key.");

    public static final ConfKey<Long> HINT_MIN_BYTES = ConfKey.of(
            "foresight.client.hint.min.bytes",
            ValueType.bytes("0", "1t"),
            "8m",
            "A file of one block that is smaller than this is not hinted and has no window, because it is read"
                    + " before they could help.");

    public static final ConfKey<Integer> HINT_WINDOW_BLOCKS = ConfKey.of(
            "foresight.client.hint.window.blocks",
            ValueType.integer(1, 1024),
            "32",
            "The number of blocks ahead of the reader in one hint. Layouts that the stream has not"
                    + " requested yet are requested in the background.");

    public static final ConfKey<Long> HINT_EVIDENCE = ConfKey.of(
            "foresight.client.hint.evidence",
            ValueType.bytes("1", "1g"),
            "4m",
            "The bytes of a file that must have been read in sequence before whole blocks are prefetched"
                    + " for it. Where its blocks are read in parts, the first request to a DataNode ends there, at the next"
                    + " whole MiB. Several streams of one file cannot be told apart, so the DataNode counts the bytes that it"
                    + " has sent. There, below a few MiB, bytes in socket buffers look like progress.");

    public static final ConfKey<Long> HINT_READ_MIN = ConfKey.of(
            "foresight.client.hint.read.min",
            ValueType.bytes("1", "1g"),
            "64k",
            "The shortest read by position that counts for a sequence of such reads. A reader of shorter"
                    + " pieces is mostly slower than a disk, and hints gain nothing for it.");

    public static final ConfKey<Integer> HINT_PART_REPLICAS = ConfKey.of(
            "foresight.client.hint.part.replicas",
            ValueType.integer(1, 16),
            "3",
            "The most replicas of a block that one reader reads from, each another part of the block. Replicas"
                    + " on another rack than the nearest do not count. A block is not cut where this process already reads"
                    + " two files from each of the disks. With 1, a block is read from one replica, as on stock HDFS.");

    public static final ConfKey<Long> HINT_PART_MIN = ConfKey.of(
            "foresight.client.hint.part.min",
            ValueType.bytes("1m", "1t"),
            "16m",
            "The shortest part of a block. Each part costs its reader an open at a DataNode, and the disk a"
                    + " seek.");

    public static final ConfKey<Integer> HINT_QUEUE_MAX = ConfKey.of(
            "foresight.client.hint.queue.max",
            ValueType.integer(1, 1_000_000),
            "1000",
            "The most hints that wait to be sent; further hints are dropped.");

    public static final ConfKey<Integer> HINT_THREADS = ConfKey.of(
            "foresight.client.hint.threads",
            ValueType.integer(1, 64),
            "4",
            "The number of daemon threads that send hints. They start with the first hint and end when" + " idle.");

    public static final ConfKey<Duration> HINT_TIMEOUT = ConfKey.of(
            "foresight.client.hint.timeout",
            ValueType.duration("10ms", "10m"),
            "2s",
            "The longest time for one hint to be answered.");

    public static final ConfKey<Duration> HINT_BACKOFF = ConfKey.of(
            "foresight.client.hint.backoff",
            ValueType.duration("1ms", "1d"),
            "5m",
            "The longest pause in which a DataNode gets no hints, after it did not answer a hint or does"
                    + " not know hints.");

    public static final ConfKey<Integer> FILES_MAX = ConfKey.of(
            "foresight.client.files.max",
            ValueType.integer(1, 1_000_000),
            "1024",
            "The most open files whose layouts are remembered; the least recently used layout is"
                    + " forgotten first.");

    public static final ConfKey<Boolean> METADATA_ENABLED = ConfKey.of(
            "foresight.client.metadata.enabled",
            ValueType.bool(),
            "true",
            "Whether the client caches the layouts of files that it has opened, and of predicted files"
                    + " that the NameNode returned. It opens these files without asking the NameNode.");

    /** The guarantee for a file that another client has changed. */
    public enum Consistency {
        /** As in stock HDFS. */
        STRICT,
        /** For a bounded time an application may see the old state. */
        BOUNDED,
        /** As in stock HDFS, because no layout is cached. */
        OFF
    }

    public static final ConfKey<Consistency> CONSISTENCY = ConfKey.of(
            "foresight.client.consistency",
            ValueType.choice(Consistency.class),
            "strict",
            "strict: a layout is cached under a lease, and the NameNode recalls it before the file"
                    + " changes. Applications then read the same data as with stock HDFS. bounded: a layout is"
                    + " cached for foresight.client.metadata.age, and an open in that time may miss a change by"
                    + " another client. off: no layout is cached.");

    public static final ConfKey<Duration> LEASE = ConfKey.of(
            "foresight.client.lease",
            ValueType.duration("1s", "5m"),
            "10s",
            "The longest time for which layouts are used after the request that last renewed the lease."
                    + " If the NameNode grants shorter leases, the shorter time counts. If a process has several"
                    + " file system objects for a NameNode, the value of the first counts.");

    public static final ConfKey<Set<String>> IMMUTABLE_PATHS = ConfKey.of(
            "foresight.client.immutable.paths",
            ValueType.directories(),
            "",
            "Directories in which no file, at any depth, is ever changed, replaced or deleted once it is"
                    + " closed. Layouts of their files are cached for foresight.client.metadata.age without a lease,"
                    + " from any NameNode. If a file does change, its old content is read for that time without any"
                    + " notice.");

    public static final ConfKey<Long> METADATA_CAPACITY = ConfKey.of(
            "foresight.client.metadata.capacity",
            ValueType.bytes("64k", "16g"),
            "16m",
            "The heap of cached layouts, for each file system object of the process.");

    public static final ConfKey<Long> METADATA_PROCESS_CAPACITY = ConfKey.of(
            "foresight.client.metadata.process.capacity",
            ValueType.bytes("64k", "64g"),
            "128m",
            "The heap of cached layouts of all file system objects of the process. At the limit a file's layout is not"
                    + " cached, and its next open asks the NameNode.");

    public static final ConfKey<Duration> METADATA_AGE = ConfKey.of(
            "foresight.client.metadata.age",
            ValueType.duration("1ms", "10m"),
            "10s",
            "The largest age of a layout with which a file is opened. Under strict consistency the lease"
                    + " must be valid as well. Under bounded consistency a change by another client is missed for"
                    + " this time at most.");

    public static final ConfKey<Integer> METADATA_AFTER = ConfKey.of(
            "foresight.client.metadata.after",
            ValueType.integer(0, 1_000_000),
            "1",
            "The number of opens that a file system object leaves to the NameNode as stock HDFS does, before it caches"
                    + " layouts. A process that opens one file gains nothing by a cache. With 0 the first open is cached too.");

    public static final ConfKey<Integer> METADATA_FILES_MAX = ConfKey.of(
            "foresight.client.metadata.files.max",
            ValueType.integer(0, 1000),
            "64",
            "The most predicted files that the NameNode may return in one reply; the NameNode has its own"
                    + " limit, too.");

    public static final ConfKey<Boolean> METADATA_STATUS_ENABLED = ConfKey.of(
            "foresight.client.metadata.status.enabled",
            ValueType.bool(),
            "true",
            "Whether the status of a predicted file (getFileStatus, exists) is answered without asking the NameNode, under a"
                    + " lease. Every change of a status recalls the lease first; only the access time may be older. That a file"
                    + " does not exist is never answered so. If opens follow most statuses, a status that the NameNode answers"
                    + " brings the file's layout as well. Under foresight.client.consistency=bounded each status is the"
                    + " NameNode's.");

    public static final ConfKey<Boolean> METADATA_AHEAD_ENABLED = ConfKey.of(
            "foresight.client.metadata.ahead.enabled",
            ValueType.bool(),
            "true",
            "Whether the client asks the NameNode for the next prefetch group in the background, while it"
                    + " still has predicted files to open. If false, it asks at the first open of a file that is not"
                    + " cached.");

    public static final ConfKey<Boolean> METADATA_BUNDLE_ENABLED = ConfKey.of(
            "foresight.client.metadata.bundle.enabled",
            ValueType.bool(),
            "false",
            "Whether the client requests the layouts of a directory's files with its listing, for"
                    + " programs that list and then open.");

    public static final ConfKey<Boolean> REUSE_ENABLED = ConfKey.of(
            "foresight.client.reuse.enabled",
            ValueType.bool(),
            "true",
            "Whether the description of a DataNode in a layout is parsed once for each of the DataNode's"
                    + " heartbeats instead of once for each replica. The layouts are the same.");

    public static final ConfKey<Boolean> DATA_ENABLED = ConfKey.of(
            "foresight.client.data.enabled",
            ValueType.bool(),
            "true",
            "Whether the client sends hints about predicted files to DataNodes, so that the begin of each file is in"
                    + " memory when it is opened: its first block, or, if this is longer than"
                    + " foresight.client.hint.min.bytes, the first foresight.client.hint.evidence of it.");

    public static final ConfKey<Duration> DATA_WAIT = ConfKey.of(
            "foresight.client.data.wait",
            ValueType.duration("0", "1m"),
            "5ms",
            "Predicted files are hinted only while most of the last small files took at least this time from open to close,"
                    + " and DataNodes do not find nearly all hinted bytes in memory. So nothing is hinted where the data is in"
                    + " memory. 0: predicted files are always hinted.");

    public static final ConfKey<Long> DATA_FOOTER = ConfKey.of(
            "foresight.client.data.footer",
            ValueType.bytes("0", "16m"),
            "256k",
            "The last bytes of a predicted file with one of the suffixes below. Its reader reads them first, so they are"
                    + " hinted, too. Where they are in a long first block, they are hinted alone. 0: none.");

    public static final ConfKey<Set<String>> DATA_FOOTER_SUFFIXES = ConfKey.of(
            "foresight.client.data.footer.suffixes",
            ValueType.words(),
            ".parquet, .orc",
            "The ends of the names of files whose readers begin at the end.");

    /** The position of a window relative to the last read. */
    public enum WindowShape {
        WING,
        FORWARD
    }

    public static final ConfKey<Boolean> WINDOW_ENABLED = ConfKey.of(
            "foresight.client.window.enabled",
            ValueType.bool(),
            "true",
            "Whether a DataNode with a replica of all blocks of a file prefetches a window around random"
                    + " reads and serves them. Files without such a DataNode, and files of one block below"
                    + " foresight.client.hint.min.bytes, are read as in stock HDFS.");

    public static final ConfKey<WindowShape> WINDOW_KIND = ConfKey.of(
            "foresight.client.window.kind",
            ValueType.choice(WindowShape.class),
            "wing",
            "The position of a window: on both sides of the last read, or from the last read on.");

    public static final ConfKey<Long> WINDOW_OBJECT = ConfKey.of(
            "foresight.client.window.object",
            ValueType.bytes("4k", "64m"),
            "128k",
            "The size of the objects in which windows are counted and moved.");

    public static final ConfKey<Integer> WINDOW_OBJECTS_FIRST = ConfKey.of(
            "foresight.client.window.objects.first",
            ValueType.integer(1, 10_000),
            "1",
            "The first width of a window in objects. The width doubles with each read outside of the"
                    + " window, and when the window moves with a sequential reader.");

    public static final ConfKey<Integer> WINDOW_OBJECTS_MAX = ConfKey.of(
            "foresight.client.window.objects.max",
            ValueType.integer(1, 10_000),
            "40",
            "The largest width of a window in objects. If foresight.client.window.objects.first is not"
                    + " less, all windows have this width from the first. HDFS serves positioned reads that are"
                    + " longer than the part of the widest window from its middle on.");

    public static final ConfKey<Long> WINDOW_TRAIL = ConfKey.of(
            "foresight.client.window.trail",
            ValueType.bytes("0", "64g"),
            "256m",
            "The bytes of each file that the DataNode is assumed to still hold in memory after its window"
                    + " has moved on. Reads of them are sent there, too. If the DataNode does not hold them, such a"
                    + " read costs as much as anywhere. If reads do not come back to what was prefetched last, windows"
                    + " move rarely. 0: only the window.");

    public static final ConfKey<Integer> WINDOW_PATIENCE = ConfKey.of(
            "foresight.client.window.patience",
            ValueType.integer(0, 1_000_000),
            "64",
            "The number of consecutive reads outside of a window after which the window moves only for"
                    + " one read in 16. A read inside the window ends this state. 0: the window always moves.");

    public static final ConfKey<Boolean> VECTORED_ENABLED = ConfKey.of(
            "foresight.client.vectored.enabled",
            ValueType.bool(),
            "true",
            "Whether the ranges of a vectored read (readVectored) are read several at a time. HDFS reads one after the other.");

    public static final ConfKey<Integer> VECTORED_THREADS = ConfKey.of(
            "foresight.client.vectored.threads",
            ValueType.integer(1, 256),
            "16",
            "How many ranges all streams of a file system read at a time. The threads end when there is nothing to read.");

    public static final ConfKey<Integer> VECTORED_REPLICAS = ConfKey.of(
            "foresight.client.vectored.replicas",
            ValueType.integer(1, 16),
            "3",
            "How many replicas of a block the reads of one vectored read use at a time. Only replicas as near as the"
                    + " first in HDFS's order are used: on the reader's host, or on the first one's rack. 1: all reads use the"
                    + " first replica.");

    public static final ConfKey<Long> VECTORED_GAP = ConfKey.of(
            "foresight.client.vectored.gap",
            ValueType.bytes("0", "16m"),
            "64k",
            "Two ranges that are no further apart are read by one request, and the bytes between them are thrown away.");

    public static final ConfKey<Long> VECTORED_MERGED_MAX = ConfKey.of(
            "foresight.client.vectored.merged.max",
            ValueType.bytes("1", "64m"),
            "1m",
            "The length of a request for several ranges. Each thread has a buffer so long while it reads such a request.");

    private ClientKeys() {}
}
