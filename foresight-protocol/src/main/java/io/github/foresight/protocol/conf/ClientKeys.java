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
            "Whether the client tells DataNodes what it will read.");

    public static final ConfKey<String> INNER_PROVIDER = ConfKey.of(
            "foresight.client.proxy.provider",
            ValueType.className(),
            "",
            "The failover proxy provider that Foresight's wraps, in place of the one it replaced in"
                    + " dfs.client.failover.proxy.provider.*. Empty: ConfiguredFailoverProxyProvider for a nameservice, a"
                    + " plain connection for a host. A suffix with the nameservice or host name"
                    + " (foresight.client.proxy.provider.ns1) goes before the plain key.");

    public static final ConfKey<Long> HINT_MIN_BYTES = ConfKey.of(
            "foresight.client.hint.min.bytes",
            ValueType.bytes("0", "1t"),
            "8m",
            "A file of one block that is smaller than this is not hinted: it is read sooner than a hint could help.");

    public static final ConfKey<Integer> HINT_WINDOW_BLOCKS = ConfKey.of(
            "foresight.client.hint.window.blocks",
            ValueType.integer(1, 1024),
            "32",
            "How many blocks in front of the reader are hinted at once; the layout of those that the stream has not asked"
                    + " for yet is asked for in the background.");

    public static final ConfKey<Long> HINT_EVIDENCE = ConfKey.of(
            "foresight.client.hint.evidence",
            ValueType.bytes("1", "1g"),
            "4m",
            "How much of a file must have been sent in sequence before whole blocks are prefetched for it. Below a few MiB,"
                    + " what fits into socket buffers is mistaken for progress.");

    public static final ConfKey<Integer> HINT_QUEUE_MAX = ConfKey.of(
            "foresight.client.hint.queue.max",
            ValueType.integer(1, 1_000_000),
            "1000",
            "How many hints may wait to be sent; more are dropped.");

    public static final ConfKey<Integer> HINT_THREADS = ConfKey.of(
            "foresight.client.hint.threads",
            ValueType.integer(1, 64),
            "4",
            "How many daemon threads send hints; they start with the first hint and end when idle.");

    public static final ConfKey<Duration> HINT_TIMEOUT = ConfKey.of(
            "foresight.client.hint.timeout",
            ValueType.duration("10ms", "10m"),
            "2s",
            "How long one hint may take to be answered.");

    public static final ConfKey<Duration> HINT_BACKOFF = ConfKey.of(
            "foresight.client.hint.backoff",
            ValueType.duration("1ms", "1d"),
            "5m",
            "How long a DataNode that does not answer hints, or does not know them, is left alone.");

    public static final ConfKey<Integer> FILES_MAX = ConfKey.of(
            "foresight.client.files.max",
            ValueType.integer(1, 1_000_000),
            "1024",
            "How many open files' layouts are remembered at once, the least recently used going first.");

    public static final ConfKey<Boolean> METADATA_ENABLED = ConfKey.of(
            "foresight.client.metadata.enabled",
            ValueType.bool(),
            "true",
            "Whether the client keeps the layouts of files that it has opened or, as the NameNode tells it, will open, and opens"
                    + " these without asking the NameNode.");

    /** What an application may see of a file that another client has changed. */
    public enum Consistency {
        /** What stock HDFS shows. */
        STRICT,
        /** For a bounded time what was there before. */
        BOUNDED,
        /** What stock HDFS shows, as no layout is kept. */
        OFF
    }

    public static final ConfKey<Consistency> CONSISTENCY = ConfKey.of(
            "foresight.client.consistency",
            ValueType.choice(Consistency.class),
            "strict",
            "strict: a layout is kept under a lease, which the NameNode recalls before the file changes, so that applications read"
                    + " what stock HDFS would let them read. bounded: a layout is kept for foresight.client.metadata.age, and an open"
                    + " in that time may miss a change by another client. off: no layout is kept.");

    public static final ConfKey<Duration> LEASE = ConfKey.of(
            "foresight.client.lease",
            ValueType.duration("1s", "5m"),
            "10s",
            "How long layouts are used at most after the request that last renewed the lease was sent; a NameNode that grants"
                    + " shorter leases is followed. In a process with several file system objects for a NameNode, that of the first"
                    + " holds.");

    public static final ConfKey<Set<String>> IMMUTABLE_PATHS = ConfKey.of(
            "foresight.client.immutable.paths",
            ValueType.directories(),
            "",
            "Directories below which no file is ever changed, replaced or deleted once it is closed. Layouts of their files are"
                    + " kept for foresight.client.metadata.age without a lease, from any NameNode. Where a file does change, its old"
                    + " content is read for so long, and nothing tells of it.");

    public static final ConfKey<Long> METADATA_CAPACITY = ConfKey.of(
            "foresight.client.metadata.capacity",
            ValueType.bytes("64k", "16g"),
            "16m",
            "Heap that the layouts kept may take, for each file system object of the process.");

    public static final ConfKey<Duration> METADATA_AGE = ConfKey.of(
            "foresight.client.metadata.age",
            ValueType.duration("1ms", "10m"),
            "10s",
            "How old a layout may be when a file is opened with it. Under strict consistency the lease must last as well; under"
                    + " bounded consistency a change by another client is missed for so long at most.");

    public static final ConfKey<Integer> METADATA_FILES_MAX = ConfKey.of(
            "foresight.client.metadata.files.max",
            ValueType.integer(0, 1000),
            "64",
            "How many files the NameNode may tell of in one reply; it has a limit of its own.");

    public static final ConfKey<Boolean> METADATA_STATUS_ENABLED = ConfKey.of(
            "foresight.client.metadata.status.enabled",
            ValueType.bool(),
            "true",
            "Whether the status of a predicted file (getFileStatus, exists) is answered without asking the NameNode, under a"
                    + " lease. Every change of a status recalls the lease first; only the access time may be older. That a file"
                    + " does not exist is never answered so. Under foresight.client.consistency=bounded each status is the"
                    + " NameNode's.");

    public static final ConfKey<Boolean> METADATA_AHEAD_ENABLED = ConfKey.of(
            "foresight.client.metadata.ahead.enabled",
            ValueType.bool(),
            "true",
            "Whether the NameNode is asked what comes next, in the background, while there are still files to open of which it has"
                    + " told; else at the first open that is not among them.");

    public static final ConfKey<Boolean> METADATA_BUNDLE_ENABLED = ConfKey.of(
            "foresight.client.metadata.bundle.enabled",
            ValueType.bool(),
            "false",
            "Whether the layouts of a directory's files are asked for with its listing, for programs that list and then open.");

    public static final ConfKey<Boolean> REUSE_ENABLED = ConfKey.of(
            "foresight.client.reuse.enabled",
            ValueType.bool(),
            "true",
            "Whether what a layout says of a DataNode is read once for each of the DataNode's heartbeats instead of once for each"
                    + " replica. The layouts are the same.");

    public static final ConfKey<Boolean> DATA_ENABLED = ConfKey.of(
            "foresight.client.data.enabled",
            ValueType.bool(),
            "true",
            "Whether DataNodes are told of the files that are expected to be opened, so that their first block is in memory by"
                    + " then.");

    /** Where a window lies about the last read. */
    public enum WindowShape {
        WING,
        FORWARD
    }

    public static final ConfKey<Boolean> WINDOW_ENABLED = ConfKey.of(
            "foresight.client.window.enabled",
            ValueType.bool(),
            "true",
            "Whether random reads of a file have a window around them read ahead by one DataNode that holds a replica of all its"
                    + " blocks, and are served from there. Files without such a DataNode, and files of one block, are read as"
                    + " ever.");

    public static final ConfKey<WindowShape> WINDOW_KIND = ConfKey.of(
            "foresight.client.window.kind",
            ValueType.choice(WindowShape.class),
            "wing",
            "Where a window lies: on both sides of the last read, or from it on.");

    public static final ConfKey<Long> WINDOW_OBJECT = ConfKey.of(
            "foresight.client.window.object",
            ValueType.bytes("4k", "64m"),
            "128k",
            "The size of the objects in which windows are counted and moved.");

    public static final ConfKey<Integer> WINDOW_OBJECTS_FIRST = ConfKey.of(
            "foresight.client.window.objects.first",
            ValueType.integer(1, 10_000),
            "1",
            "How many objects wide a window begins. It doubles with each read outside of it, and as it moves with a reader who goes"
                    + " on from object to object.");

    public static final ConfKey<Integer> WINDOW_OBJECTS_MAX = ConfKey.of(
            "foresight.client.window.objects.max",
            ValueType.integer(1, 10_000),
            "40",
            "How many objects wide a window may become; where foresight.client.window.objects.first is no less, all windows are"
                    + " that wide from the first. Positioned reads longer than what such a window has from its middle on are left to"
                    + " HDFS.");

    public static final ConfKey<Long> WINDOW_TRAIL = ConfKey.of(
            "foresight.client.window.trail",
            ValueType.bytes("0", "64g"),
            "256m",
            "How much of each file the DataNode is taken to have in memory after its window has moved on, so that reads of it are"
                    + " sent there too. Where it has not, such a read costs what it costs anywhere. 0: only the window.");

    public static final ConfKey<Integer> WINDOW_PATIENCE = ConfKey.of(
            "foresight.client.window.patience",
            ValueType.integer(0, 1_000_000),
            "64",
            "After so many reads of a file in a row outside of its window the window rests but for one read in 16, until one is"
                    + " within it again. 0: never.");

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
