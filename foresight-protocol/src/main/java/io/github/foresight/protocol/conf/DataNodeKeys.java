/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import java.time.Duration;

/** The keys that a DataNode reads. */
public final class DataNodeKeys {

    /** Caching policies of the DataNode's caching queue. */
    public enum CachePolicy {
        W_TINYLFU,
        LRU
    }

    /** How disk space is taken for replicas being written. */
    public enum Preallocate {
        OFF,
        STATIC,
        ON_DEMAND
    }

    public static final ConfKey<Boolean> PREFETCH_ENABLED = ConfKey.of(
            "foresight.datanode.prefetch.enabled",
            ValueType.bool(),
            "true",
            "Whether the DataNode takes hints and reads ahead. With this, preallocation and packs off, its data set is"
                    + " HDFS's own and costs nothing.");

    public static final ConfKey<Long> CACHE_CAPACITY = ConfKey.of(
            "foresight.datanode.cache.capacity",
            ValueType.bytesOrAuto("0", "64t"),
            "auto",
            "Memory that prefetched blocks may hold pinned. 'auto' shares with windows half of what the process may"
                    + " lock (ulimit -l, or all memory with CAP_IPC_LOCK) after dfs.datanode.max.locked.memory, and at"
                    + " most a quarter of the memory beside the heap. The memory is the machine's, or the smallest limit"
                    + " of the process's control groups. Where the share would be less than a sixty-fourth of this memory,"
                    + " or nothing can be locked, it is an eighth, unpinned. 0 switches prefetch off.");

    public static final ConfKey<CachePolicy> CACHE_POLICY = ConfKey.of(
            "foresight.datanode.cache.policy",
            ValueType.choice(CachePolicy.class),
            "w-tinylfu",
            "Which policy manages blocks that have proved popular.");

    public static final ConfKey<Boolean> CACHE_PIN = ConfKey.of(
            "foresight.datanode.cache.pin",
            ValueType.bool(),
            "true",
            "Whether prefetched pages are locked in memory (mlock) until they are read. Off, or where the process may"
                    + " not lock memory, the kernel may drop them early.");

    public static final ConfKey<Double> DESCRIPTORS_SHARE = ConfKey.of(
            "foresight.datanode.descriptors.share",
            ValueType.fraction(0, 0.9),
            "0.25",
            "Which part of the process's descriptors (ulimit -n) prefetched blocks and windows may have open. A block or a"
                    + " window's part of a block takes two. Beyond, nothing is prefetched.");

    public static final ConfKey<Double> MAPPINGS_SHARE = ConfKey.of(
            "foresight.datanode.mappings.share",
            ValueType.fraction(0, 0.9),
            "0.25",
            "Which part of the process's mappings (vm.max_map_count) prefetched blocks and windows may have. A block that is"
                    + " locked in memory takes two, a few more while it is read. Beyond, nothing is prefetched.");

    public static final ConfKey<Duration> RETRY_TIME = ConfKey.of(
            "foresight.datanode.cache.retry.time",
            ValueType.duration("0", "1d"),
            "60s",
            "How long a block stays in memory after it was read, so that a client that repeats a request finds it. The"
                    + " client's dfs.client.socket-timeout is the natural value.");

    public static final ConfKey<Duration> CACHE_IDLE_TIME = ConfKey.of(
            "foresight.datanode.cache.idle.time",
            ValueType.duration("1s", "365d"),
            "10m",
            "How long a popular block stays in memory without being read.");

    public static final ConfKey<Duration> UNACCESSED_TIME = ConfKey.of(
            "foresight.datanode.cache.unaccessed.time",
            ValueType.duration("1s", "1d"),
            "2m",
            "After this long a prefetched block that nobody has read may be evicted to make room for another.");

    public static final ConfKey<Duration> REASSIGN_PERIOD = ConfKey.of(
            "foresight.datanode.cache.reassign.period",
            ValueType.duration("100ms", "1d"),
            "10s",
            "How often the border between prefetched and popular blocks is reconsidered.");

    public static final ConfKey<Double> REASSIGN_THRESHOLD = ConfKey.of(
            "foresight.datanode.cache.reassign.threshold",
            ValueType.fraction(0, 10),
            "0.2",
            "By which share one side's hits must exceed the other's before the border moves.");

    public static final ConfKey<Integer> REASSIGN_MIN_HITS = ConfKey.of(
            "foresight.datanode.cache.reassign.min.hits",
            ValueType.integer(0, 1_000_000),
            "5",
            "The border moves only for a side with more hits than this in the period.");

    public static final ConfKey<Integer> DEPTH_MAX = ConfKey.of(
            "foresight.datanode.prefetch.depth.max",
            ValueType.integer(1, 64),
            "4",
            "How many blocks of one file may be prefetched and unread at once on this DataNode. One is always allowed;"
                    + " more only for a reader that outruns the disk, and while memory has room.");

    public static final ConfKey<Long> CHUNK = ConfKey.of(
            "foresight.datanode.prefetch.chunk",
            ValueType.bytes("64k", "64m"),
            "4m",
            "How much is read from a disk before the next most urgent prefetch is chosen.");

    public static final ConfKey<Long> RAMP = ConfKey.of(
            "foresight.datanode.prefetch.ramp",
            ValueType.bytes("64k", "1g"),
            "4m",
            "How far prefetch runs in front of a reader that has not shown sequential progress yet.");

    public static final ConfKey<Integer> SESSIONS_MAX = ConfKey.of(
            "foresight.datanode.sessions.max",
            ValueType.integer(1, 1_000_000),
            "4096",
            "How many files being read may be tracked at once; a hint beyond is refused. Warmed blocks need none.");

    public static final ConfKey<Integer> SESSION_BLOCKS_MAX = ConfKey.of(
            "foresight.datanode.sessions.blocks.max",
            ValueType.integer(1, 10_000_000),
            "65536",
            "How many hinted blocks may be tracked over all sessions, at about 200 bytes of heap each.");

    public static final ConfKey<Double> SESSIONS_CALLER_SHARE = ConfKey.of(
            "foresight.datanode.sessions.caller.share",
            ValueType.fraction(0.001, 1),
            "0.5",
            "Which part of foresight.datanode.sessions.max, of foresight.datanode.sessions.blocks.max and of"
                    + " foresight.datanode.window.capacity one user at one address may have while others need it; beyond, its"
                    + " sessions and windows make way. 1 sets no limit.");

    public static final ConfKey<Duration> SESSION_IDLE_TIME = ConfKey.of(
            "foresight.datanode.sessions.idle.time",
            ValueType.duration("1s", "1d"),
            "60s",
            "A session without a hint or a read for this long ends, and what it prefetched in vain is dropped.");

    public static final ConfKey<Duration> SESSION_YIELD_TIME = ConfKey.of(
            "foresight.datanode.sessions.yield.time",
            ValueType.duration("0", "1d"),
            "5s",
            "Where as many sessions or blocks are tracked as may be, a session without an open stream for this long"
                    + " makes way for a new one; one whose client has read all that it hinted, at once.");

    public static final ConfKey<Integer> QUEUE_MAX = ConfKey.of(
            "foresight.datanode.queue.max",
            ValueType.integer(16, 1_000_000),
            "8192",
            "How many steps of the read-ahead may wait to be carried out; beyond, nothing new is begun and windows are refused.");

    public static final ConfKey<Integer> LANE_QUEUE_MAX = ConfKey.of(
            "foresight.datanode.lane.queue.max",
            ValueType.integer(16, 1_000_000),
            "4096",
            "How many blocks, and how many parts of windows, may wait to be read from one volume; more are read without prefetch.");

    public static final ConfKey<Integer> HINT_RATE = ConfKey.of(
            "foresight.datanode.hint.rate",
            ValueType.integer(1, 1_000_000),
            "1000",
            "Hints per second that the DataNode takes from one client address in the long run; more are refused.");

    public static final ConfKey<Integer> HINT_BURST = ConfKey.of(
            "foresight.datanode.hint.burst",
            ValueType.integer(1, 1_000_000),
            "5000",
            "Hints that a client address may send at once after a pause.");

    public static final ConfKey<Integer> HINT_BLOCKS_MAX = ConfKey.of(
            "foresight.datanode.hint.blocks.max",
            ValueType.integer(1, 100_000),
            "1024",
            "Blocks that one hint may name; a longer hint is refused.");

    public static final ConfKey<Boolean> WINDOW_ENABLED = ConfKey.of(
            "foresight.datanode.window.enabled",
            ValueType.bool(),
            "true",
            "Whether the DataNode reads ahead the windows of clients that read at random.");

    public static final ConfKey<Long> WINDOW_CAPACITY = ConfKey.of(
            "foresight.datanode.window.capacity",
            ValueType.bytesOrAuto("0", "64t"),
            "auto",
            "Memory that windows may hold pinned, beside foresight.datanode.cache.capacity; 'auto' is an eighth of"
                    + " that. The window that was moved least recently goes first. 0 switches windows off.");

    public static final ConfKey<Integer> FAILURES_MAX = ConfKey.of(
            "foresight.datanode.failures.max",
            ValueType.integer(1, 1_000_000),
            "100",
            "After this many internal failures within a minute prefetch switches itself off until the DataNode is"
                    + " restarted; reads go on as with stock HDFS.");

    public static final ConfKey<Preallocate> PREALLOCATE = ConfKey.of(
            "foresight.datanode.preallocate.mode",
            ValueType.choice(Preallocate.class),
            "on-demand",
            "How disk space is taken for blocks being written, so that writers at the same time do not scatter one"
                    + " another's blocks: 'on-demand' in windows that grow while a writer goes on, 'static' the whole"
                    + " block at its first write, 'off' as the file system does by itself. What is not used is freed when"
                    + " the writer ends.");

    public static final ConfKey<Integer> PREALLOCATE_SCALE = ConfKey.of(
            "foresight.datanode.preallocate.scale",
            ValueType.integer(2, 1024),
            "64",
            "By which factor a window is larger than the one before, and the first than the first write where blocks"
                    + " of late were left unfilled; where they were filled the first window is the largest. Each window"
                    + " may become a piece of its own on a busy disk; 2 or 4 hold less space in advance.");

    public static final ConfKey<Long> PREALLOCATE_WINDOW_MAX = ConfKey.of(
            "foresight.datanode.preallocate.window.max",
            ValueType.bytes("64k", "1t"),
            "256m",
            "The largest window; a block never gets more than its size.");

    public static final ConfKey<Long> PREALLOCATE_START_MIN = ConfKey.of(
            "foresight.datanode.preallocate.start.min",
            ValueType.bytes("0", "64m"),
            "32k",
            "A block whose first write is smaller gets nothing before its second: most likely it is a whole small"
                    + " file.");

    public static final ConfKey<Integer> PREALLOCATE_MISSES_MAX = ConfKey.of(
            "foresight.datanode.preallocate.misses.max",
            ValueType.integer(0, 1_000_000),
            "4",
            "After more writes than this that were made where no space had been taken in time, a block is left alone.");

    public static final ConfKey<Long> PREALLOCATE_VOLUME_MAX = ConfKey.of(
            "foresight.datanode.preallocate.volume.max",
            ValueType.bytes("0", "1024t"),
            "16g",
            "What may be taken in advance and unused on a volume, over all blocks being written. One request gets at"
                    + " most a quarter of what is left of it.");

    public static final ConfKey<Long> PREALLOCATE_FREE_MIN = ConfKey.of(
            "foresight.datanode.preallocate.free.min",
            ValueType.bytes("0", "1024t"),
            "1g",
            "What must stay available on a volume, beside dfs.datanode.du.reserved and what is reserved for writers."
                    + " One request gets at most a quarter of what is available beyond.");

    public static final ConfKey<Duration> PREALLOCATE_WAIT = ConfKey.of(
            "foresight.datanode.preallocate.wait.time",
            ValueType.duration("0", "10s"),
            "20ms",
            "How long a block's first write waits at most for its first space; later windows are taken while it is"
                    + " written.");

    public static final ConfKey<Double> PREALLOCATE_DESCRIPTORS_SHARE = ConfKey.of(
            "foresight.datanode.preallocate.descriptors.share",
            ValueType.fraction(0, 0.9),
            "0.1",
            "Which part of the process's descriptors (ulimit -n) preallocation may have open. A block being written takes two."
                    + " Beyond, nothing is preallocated for more blocks.");

    public static final ConfKey<Duration> PREALLOCATE_SLOW = ConfKey.of(
            "foresight.datanode.preallocate.slow.time",
            ValueType.duration("1ms", "1h"),
            "200ms",
            "A preallocation that takes longer halves the volume's windows until they are fast again.");

    public static final ConfKey<Integer> PREALLOCATE_SLOW_MAX = ConfKey.of(
            "foresight.datanode.preallocate.slow.max",
            ValueType.integer(1, 1_000_000),
            "8",
            "After so many slow preallocations in a row the volume is left alone until the DataNode is restarted.");

    public static final ConfKey<Boolean> PACKS_ENABLED = ConfKey.of(
            "foresight.datanode.packs.enabled",
            ValueType.bool(),
            "true",
            "Whether small blocks' checksums are kept side by side, a file for each folder of blocks, beside the .meta"
                    + " files that HDFS has. Reading one brings its neighbours' along. Nothing is lost when these files"
                    + " are deleted.");

    public static final ConfKey<Long> PACKS_BLOCK_MAX = ConfKey.of(
            "foresight.datanode.packs.block.max",
            ValueType.bytes("1", "16m"),
            "1m",
            "The largest block that counts as small.");

    public static final ConfKey<Long> PACKS_SIZE_MAX = ConfKey.of(
            "foresight.datanode.packs.size.max",
            ValueType.bytes("64k", "16m"),
            "256k",
            "The largest pack, about 400 blocks of 64 KiB. It is read in one request; of a folder with more, the last"
                    + " written are kept.");

    public static final ConfKey<Long> PACKS_MEMORY = ConfKey.of(
            "foresight.datanode.packs.memory",
            ValueType.bytes("1m", "16g"),
            "32m",
            "How much heap the packs that were read last may take.");

    public static final ConfKey<Duration> PACKS_DELAY = ConfKey.of(
            "foresight.datanode.packs.delay.time",
            ValueType.duration("0", "1h"),
            "2s",
            "How long blocks wait to be packed, so that many go into one write.");

    public static final ConfKey<Integer> PACKS_QUEUE_MAX = ConfKey.of(
            "foresight.datanode.packs.queue.max",
            ValueType.integer(1, 10_000_000),
            "20000",
            "How many blocks may wait to be packed; more are packed when they are read.");

    private DataNodeKeys() {}
}
