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

    public static final ConfKey<Boolean> PREFETCH_ENABLED = ConfKey.of(
            "foresight.datanode.prefetch.enabled",
            ValueType.bool(),
            "true",
            "Whether the DataNode takes hints and reads ahead. Off, its data set is HDFS's own and costs nothing.");

    public static final ConfKey<Long> CACHE_CAPACITY = ConfKey.of(
            "foresight.datanode.cache.capacity",
            ValueType.bytesOrAuto("0", "64t"),
            "auto",
            "Memory that prefetched blocks may hold pinned. 'auto' takes half of what the process may lock"
                    + " (ulimit -l, or all memory with CAP_IPC_LOCK) after dfs.datanode.max.locked.memory, and at most a"
                    + " quarter of the machine's memory; where that would be less than a sixty-fourth of it, or nothing can"
                    + " be locked, an eighth of it unpinned. 0 switches prefetch off.");

    public static final ConfKey<CachePolicy> CACHE_POLICY = ConfKey.of(
            "foresight.datanode.cache.policy",
            ValueType.choice(CachePolicy.class),
            "w-tinylfu",
            "Which policy manages blocks that have proved popular.");

    public static final ConfKey<Boolean> CACHE_PIN = ConfKey.of(
            "foresight.datanode.cache.pin",
            ValueType.bool(),
            "true",
            "Whether prefetched pages are locked in memory (mlock) until they are read. Off, or where the process may not"
                    + " lock memory, the kernel may drop them early.");

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
            "How many blocks of one file may be prefetched and unread at once on this DataNode. One is always allowed; more"
                    + " only for a reader that outruns the disk, and while memory has room.");

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
            "How many files being read may be tracked at once; a hint beyond is refused.");

    public static final ConfKey<Integer> SESSION_BLOCKS_MAX = ConfKey.of(
            "foresight.datanode.sessions.blocks.max",
            ValueType.integer(1, 10_000_000),
            "65536",
            "How many hinted blocks may be tracked over all sessions, at about 200 bytes of heap each.");

    public static final ConfKey<Duration> SESSION_IDLE_TIME = ConfKey.of(
            "foresight.datanode.sessions.idle.time",
            ValueType.duration("1s", "1d"),
            "60s",
            "A session without a hint or a read for this long ends, and what it prefetched in vain is dropped.");

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

    public static final ConfKey<Integer> FAILURES_MAX = ConfKey.of(
            "foresight.datanode.failures.max",
            ValueType.integer(1, 1_000_000),
            "100",
            "After this many internal failures within a minute prefetch switches itself off until the DataNode is"
                    + " restarted; reads go on as with stock HDFS.");

    private DataNodeKeys() {}
}
