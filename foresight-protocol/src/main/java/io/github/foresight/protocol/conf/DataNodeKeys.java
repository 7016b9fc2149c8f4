/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import java.time.Duration;

/** The keys that a DataNode reads. */
public final class DataNodeKeys {

    /** The policies of the DataNode's caching queue. */
    public enum CachePolicy {
        W_TINYLFU,
        LRU
    }

    /** The ways of taking disk space for replicas being written. */
    public enum Preallocate {
        OFF,
        STATIC,
        ON_DEMAND
    }

    public static final ConfKey<Boolean> PREFETCH_ENABLED = ConfKey.of(
            "foresight.datanode.prefetch.enabled",
            ValueType.bool(),
            "true",
            "Whether the DataNode accepts hints and prefetches. If this, preallocation and packs are off,"
                    + " its data set is HDFS's own and costs nothing.");

    public static final ConfKey<Long> CACHE_CAPACITY = ConfKey.of(
            "foresight.datanode.cache.capacity",
            ValueType.bytesOrAuto("0", "64t"),
            "auto",
            "Memory of pinned prefetched blocks. 'auto': prefetched blocks and windows share half of the"
                    + " lockable memory, and at most a quarter of the memory beside the heap. The lockable memory is"
                    + " ulimit -l, or all memory with CAP_IPC_LOCK, less dfs.datanode.max.locked.memory. The memory"
                    + " is the machine's, or the smallest limit of the process's control groups. If this share is"
                    + " less than a sixty-fourth of the memory, or nothing can be locked, the capacity is an eighth,"
                    + " unpinned. 0 switches prefetch off.");

    public static final ConfKey<CachePolicy> CACHE_POLICY = ConfKey.of(
            "foresight.datanode.cache.policy",
            ValueType.choice(CachePolicy.class),
            "w-tinylfu",
            "The policy for blocks that have proved popular.");

    public static final ConfKey<Boolean> CACHE_PIN = ConfKey.of(
            "foresight.datanode.cache.pin",
            ValueType.bool(),
            "true",
            "Whether prefetched pages are locked in memory (mlock) until they are read. If false, or if"
                    + " the process may not lock memory, the kernel may drop them early.");

    public static final ConfKey<Double> DESCRIPTORS_SHARE = ConfKey.of(
            "foresight.datanode.descriptors.share",
            ValueType.fraction(0, 0.9),
            "0.25",
            "The share of the process's descriptors (ulimit -n) that prefetched blocks and windows may"
                    + " have open. A block, or a window's part of a block, takes two. Above this share nothing is"
                    + " prefetched.");

    public static final ConfKey<Double> MAPPINGS_SHARE = ConfKey.of(
            "foresight.datanode.mappings.share",
            ValueType.fraction(0, 0.9),
            "0.25",
            "The share of the process's mappings (vm.max_map_count) that prefetched blocks and windows"
                    + " may have. A block that is locked in memory takes two, and a few more while it is read. Above"
                    + " this share nothing is prefetched.");

    public static final ConfKey<Duration> RETRY_TIME = ConfKey.of(
            "foresight.datanode.cache.retry.time",
            ValueType.duration("0", "1d"),
            "60s",
            "The time for which a read block stays in memory, so that a client that repeats a request"
                    + " finds it. The natural value is the client's dfs.client.socket-timeout.");

    public static final ConfKey<Duration> CACHE_IDLE_TIME = ConfKey.of(
            "foresight.datanode.cache.idle.time",
            ValueType.duration("1s", "365d"),
            "10m",
            "The time for which a popular block stays in memory without being read.");

    public static final ConfKey<Duration> UNACCESSED_TIME = ConfKey.of(
            "foresight.datanode.cache.unaccessed.time",
            ValueType.duration("1s", "1d"),
            "2m",
            "After this time an unread prefetched block may be evicted for another block.");

    public static final ConfKey<Duration> REASSIGN_PERIOD = ConfKey.of(
            "foresight.datanode.cache.reassign.period",
            ValueType.duration("100ms", "1d"),
            "10s",
            "The period after which the border between prefetched and popular blocks is reconsidered.");

    public static final ConfKey<Double> REASSIGN_THRESHOLD = ConfKey.of(
            "foresight.datanode.cache.reassign.threshold",
            ValueType.fraction(0, 10),
            "0.2",
            "The share by which one side's hits must exceed the other side's before the border moves.");

    public static final ConfKey<Integer> REASSIGN_MIN_HITS = ConfKey.of(
            "foresight.datanode.cache.reassign.min.hits",
            ValueType.integer(0, 1_000_000),
            "5",
            "The border moves only for a side with more hits than this in the period.");

    public static final ConfKey<Integer> DEPTH_FIRST = ConfKey.of(
            "foresight.datanode.prefetch.depth.first",
            ValueType.integer(1, 64),
            "8",
            "The blocks of one file that are prefetched before it is known whether the reader is faster than the"
                    + " disk. With several, the DataNode with most of the file's blocks has work while the reader is at the"
                    + " others.");

    public static final ConfKey<Integer> DEPTH_MAX = ConfKey.of(
            "foresight.datanode.prefetch.depth.max",
            ValueType.integer(1, 64),
            "32",
            "The most blocks of one file that may be prefetched and unread at once on this DataNode. One"
                    + " block is always allowed. More than foresight.datanode.prefetch.depth.first are"
                    + " prefetched only for a reader that is faster than the disk. All but one need room in memory.");

    public static final ConfKey<Long> CHUNK = ConfKey.of(
            "foresight.datanode.prefetch.chunk",
            ValueType.bytes("64k", "64m"),
            "4m",
            "The bytes that are read from a disk before the next most urgent prefetch is chosen.");

    public static final ConfKey<Long> RAMP = ConfKey.of(
            "foresight.datanode.prefetch.ramp",
            ValueType.bytes("64k", "1g"),
            "4m",
            "The bytes that a prefetch runs ahead of a reader without sequential progress.");

    public static final ConfKey<Integer> SESSIONS_MAX = ConfKey.of(
            "foresight.datanode.sessions.max",
            ValueType.integer(1, 1_000_000),
            "4096",
            "The most hint sessions; each is one client that reads one file. A hint for a further session"
                    + " is refused. Warmed blocks need no session.");

    public static final ConfKey<Integer> SESSION_BLOCKS_MAX = ConfKey.of(
            "foresight.datanode.sessions.blocks.max",
            ValueType.integer(1, 10_000_000),
            "65536",
            "The most hinted blocks that are tracked over all sessions, at about 200 bytes of heap each.");

    public static final ConfKey<Double> SESSIONS_CALLER_SHARE = ConfKey.of(
            "foresight.datanode.sessions.caller.share",
            ValueType.fraction(0.001, 1),
            "0.5",
            "The share of foresight.datanode.sessions.max, of foresight.datanode.sessions.blocks.max and"
                    + " of foresight.datanode.window.capacity that one user at one address may keep while others"
                    + " need room. Above the share, its sessions and windows yield. 1 sets no limit.");

    public static final ConfKey<Duration> SESSION_IDLE_TIME = ConfKey.of(
            "foresight.datanode.sessions.idle.time",
            ValueType.duration("1s", "1d"),
            "60s",
            "A session ends after this time without a hint and without a read, and its unread prefetched"
                    + " blocks are dropped.");

    public static final ConfKey<Duration> SESSION_YIELD_TIME = ConfKey.of(
            "foresight.datanode.sessions.yield.time",
            ValueType.duration("0", "1d"),
            "5s",
            "When the limit of sessions or blocks is reached, a session without an open stream for this"
                    + " time yields to a new session. A session whose client has read all hinted blocks yields at"
                    + " once.");

    public static final ConfKey<Integer> QUEUE_MAX = ConfKey.of(
            "foresight.datanode.queue.max",
            ValueType.integer(16, 1_000_000),
            "8192",
            "The most decisions of the read-ahead that wait to be carried out. Above this number no block"
                    + " is begun, and windows are refused.");

    public static final ConfKey<Integer> LANE_QUEUE_MAX = ConfKey.of(
            "foresight.datanode.lane.queue.max",
            ValueType.integer(16, 1_000_000),
            "4096",
            "The most blocks, and the most parts of windows, that wait to be read from one volume."
                    + " Further blocks are read without prefetch.");

    public static final ConfKey<Integer> HINT_RATE = ConfKey.of(
            "foresight.datanode.hint.rate",
            ValueType.integer(1, 1_000_000),
            "1000",
            "The long-run rate of hints per second that the DataNode accepts from one client address;"
                    + " further hints are refused.");

    public static final ConfKey<Integer> HINT_BURST = ConfKey.of(
            "foresight.datanode.hint.burst",
            ValueType.integer(1, 1_000_000),
            "5000",
            "The hints that a client address may send at once after a pause.");

    public static final ConfKey<Integer> HINT_BLOCKS_MAX = ConfKey.of(
            "foresight.datanode.hint.blocks.max",
            ValueType.integer(1, 100_000),
            "1024",
            "The most blocks in one hint; a longer hint is refused.");

    public static final ConfKey<Boolean> WINDOW_ENABLED = ConfKey.of(
            "foresight.datanode.window.enabled",
            ValueType.bool(),
            "true",
            "Whether the DataNode prefetches the windows of clients that read at random.");

    public static final ConfKey<Long> WINDOW_CAPACITY = ConfKey.of(
            "foresight.datanode.window.capacity",
            ValueType.bytesOrAuto("0", "64t"),
            "auto",
            "Memory of pinned windows, in addition to foresight.datanode.cache.capacity; 'auto' is an"
                    + " eighth of that. The least recently moved window is given up first. 0 switches windows off.");

    public static final ConfKey<Integer> FAILURES_MAX = ConfKey.of(
            "foresight.datanode.failures.max",
            ValueType.integer(1, 1_000_000),
            "100",
            "After this many internal failures within a minute prefetch switches itself off until the"
                    + " DataNode is restarted. Reads continue as in stock HDFS.");

    public static final ConfKey<Preallocate> PREALLOCATE = ConfKey.of(
            "foresight.datanode.preallocate.mode",
            ValueType.choice(Preallocate.class),
            "on-demand",
            "The way of taking disk space for blocks being written, so that concurrent writers do not"
                    + " scatter one another's blocks. 'on-demand': windows that grow while a writer continues."
                    + " 'static': the whole block at its first write. 'off': as the file system does by itself."
                    + " Unused space is freed when the writer ends.");

    public static final ConfKey<Integer> PREALLOCATE_SCALE = ConfKey.of(
            "foresight.datanode.preallocate.scale",
            ValueType.integer(2, 1024),
            "64",
            "The factor between a window and the window before it. It is also the factor between the"
                    + " first window and the first write, if recent blocks were not filled; if they were filled, the"
                    + " first window is the largest. Each window may become a separate piece on a busy disk; 2 or 4"
                    + " take less space in advance.");

    public static final ConfKey<Long> PREALLOCATE_WINDOW_MAX = ConfKey.of(
            "foresight.datanode.preallocate.window.max",
            ValueType.bytes("64k", "1t"),
            "256m",
            "The largest window; a block never gets more than its size.");

    public static final ConfKey<Long> PREALLOCATE_START_MIN = ConfKey.of(
            "foresight.datanode.preallocate.start.min",
            ValueType.bytes("0", "64m"),
            "32k",
            "A block whose first write is smaller gets no space before its second write, because it is"
                    + " probably a complete small file.");

    public static final ConfKey<Integer> PREALLOCATE_MISSES_MAX = ConfKey.of(
            "foresight.datanode.preallocate.misses.max",
            ValueType.integer(0, 1_000_000),
            "4",
            "After more writes than this outside the taken space, a block gets no more space in advance.");

    public static final ConfKey<Long> PREALLOCATE_VOLUME_MAX = ConfKey.of(
            "foresight.datanode.preallocate.volume.max",
            ValueType.bytes("0", "1024t"),
            "16g",
            "The most unused space that is taken in advance on a volume, over all blocks being written."
                    + " One request gets at most a quarter of the rest.");

    public static final ConfKey<Long> PREALLOCATE_FREE_MIN = ConfKey.of(
            "foresight.datanode.preallocate.free.min",
            ValueType.bytes("0", "1024t"),
            "1g",
            "The space that must stay available on a volume, in addition to dfs.datanode.du.reserved and"
                    + " the space reserved for writers. One request gets at most a quarter of the rest.");

    public static final ConfKey<Duration> PREALLOCATE_WAIT = ConfKey.of(
            "foresight.datanode.preallocate.wait.time",
            ValueType.duration("0", "10s"),
            "20ms",
            "The longest time for which a block's first write waits for its first space. Later windows"
                    + " are taken while the block is written.");

    public static final ConfKey<Double> PREALLOCATE_DESCRIPTORS_SHARE = ConfKey.of(
            "foresight.datanode.preallocate.descriptors.share",
            ValueType.fraction(0, 0.9),
            "0.1",
            "The share of the process's descriptors (ulimit -n) that preallocation may have open. A block"
                    + " being written takes two. Above this share no space is taken for further blocks.");

    public static final ConfKey<Duration> PREALLOCATE_SLOW = ConfKey.of(
            "foresight.datanode.preallocate.slow.time",
            ValueType.duration("1ms", "1h"),
            "200ms",
            "A preallocation that takes longer halves the volume's windows until preallocations are fast" + " again.");

    public static final ConfKey<Integer> PREALLOCATE_SLOW_MAX = ConfKey.of(
            "foresight.datanode.preallocate.slow.max",
            ValueType.integer(1, 1_000_000),
            "8",
            "After this many consecutive slow preallocations no space is taken in advance on the volume"
                    + " until the DataNode is restarted.");

    public static final ConfKey<Boolean> PACKS_ENABLED = ConfKey.of(
            "foresight.datanode.packs.enabled",
            ValueType.bool(),
            "true",
            "Whether small blocks' checksums are kept side by side, in one file for each directory of"
                    + " blocks, in addition to HDFS's .meta files. Reading one block's checksums then also reads its"
                    + " neighbours'. Nothing is lost when these files are deleted.");

    public static final ConfKey<Long> PACKS_BLOCK_MAX = ConfKey.of(
            "foresight.datanode.packs.block.max",
            ValueType.bytes("1", "16m"),
            "1m",
            "The largest block that counts as small.");

    public static final ConfKey<Long> PACKS_SIZE_MAX = ConfKey.of(
            "foresight.datanode.packs.size.max",
            ValueType.bytes("64k", "16m"),
            "256k",
            "The largest pack, about 400 blocks of 64 KiB. A pack is read in one request. If a directory"
                    + " has more blocks, the last written are in its pack.");

    public static final ConfKey<Long> PACKS_MEMORY = ConfKey.of(
            "foresight.datanode.packs.memory",
            ValueType.bytes("1m", "16g"),
            "32m",
            "The heap of the packs that were read last.");

    public static final ConfKey<Duration> PACKS_DELAY = ConfKey.of(
            "foresight.datanode.packs.delay.time",
            ValueType.duration("0", "1h"),
            "2s",
            "The time for which blocks wait to be packed, so that one write has many blocks.");

    public static final ConfKey<Integer> PACKS_QUEUE_MAX = ConfKey.of(
            "foresight.datanode.packs.queue.max",
            ValueType.integer(1, 10_000_000),
            "20000",
            "The most blocks that wait to be packed; further blocks are packed when they are read.");

    private DataNodeKeys() {}
}
