/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import java.time.Duration;
import java.util.Set;

/** The keys that a NameNode reads. */
public final class NameNodeKeys {

    /** What tells one client from another. */
    public enum Identity {
        /** The RPC client's id, of which a process has one. */
        CLIENT,
        USER,
        /** The address that the request came from. */
        ADDRESS,
        /** The caller context, which names a job or a query where an engine sets it. */
        CONTEXT
    }

    /** How weight falls with distance. */
    public enum Weights {
        IDENTICAL,
        LINEAR,
        POLYNOMIAL,
        EXPONENTIAL
    }

    /** Whose opens are learned from together. */
    public enum Scope {
        SHARED,
        USER,
        /** The paper's form: each client host has its own. */
        ADDRESS
    }

    public static final ConfKey<Boolean> LEARN_ENABLED = ConfKey.of(
            "foresight.namenode.learn.enabled",
            ValueType.bool(),
            "true",
            "Whether the NameNode learns which file is opened after which.");

    public static final ConfKey<Boolean> PREFETCH_ENABLED = ConfKey.of(
            "foresight.namenode.prefetch.enabled",
            ValueType.bool(),
            "true",
            "Whether clients that ask for it are told the files that they are expected to open next.");

    public static final ConfKey<Boolean> SIBLINGS_ENABLED = ConfKey.of(
            "foresight.namenode.siblings.enabled",
            ValueType.bool(),
            "true",
            "Whether part-00017 is predicted after part-00016 as long as nothing better is known.");

    public static final ConfKey<Boolean> INVALIDATE_ENABLED = ConfKey.of(
            "foresight.namenode.invalidate.enabled",
            ValueType.bool(),
            "true",
            "Whether clients are told, with their next reply, which of the files they were told of have changed since.");

    public static final ConfKey<Boolean> BALANCE_ENABLED = ConfKey.of(
            "foresight.namenode.balance.enabled",
            ValueType.bool(),
            "true",
            "Whether replicas at equal distance from the reader are ordered by load, and so that blocks that follow one another"
                    + " come from different DataNodes.");

    public static final ConfKey<Boolean> BUNDLE_ENABLED = ConfKey.of(
            "foresight.namenode.bundle.enabled",
            ValueType.bool(),
            "true",
            "Whether a listing's reply carries the layouts of the files in it, for clients that ask for them.");

    public static final ConfKey<Boolean> REUSE_ENABLED = ConfKey.of(
            "foresight.namenode.reuse.enabled",
            ValueType.bool(),
            "true",
            "Whether a DataNode is described once for each of its heartbeats instead of for each replica in each answer. The"
                    + " answers are the same to the byte.");

    public static final ConfKey<Boolean> HINT_ENABLED = ConfKey.of(
            "foresight.namenode.hint.enabled",
            ValueType.bool(),
            "false",
            "Whether the NameNode tells DataNodes of the files that clients without Foresight are expected to open, so that their"
                    + " first block is in memory by then. Each such open is predicted from, which costs the NameNode a few"
                    + " microseconds.");

    public static final ConfKey<Long> GRAPH_CAPACITY = ConfKey.of(
            "foresight.namenode.graph.capacity",
            ValueType.bytes("1m", "1t"),
            "256m",
            "Memory outside the heap for what is learned; a third of it for files, at 137 bytes each with 12 successors, the rest"
                    + " for pairs of files. Taken when the NameNode starts; raise -XX:MaxDirectMemorySize by as much where it is"
                    + " set.");

    public static final ConfKey<Integer> GRAPH_SUCCESSORS = ConfKey.of(
            "foresight.namenode.graph.successors",
            ValueType.integer(1, 64),
            "12",
            "How many successors of a file are kept, the strongest.");

    public static final ConfKey<Integer> GRAPH_AGING_VISITS = ConfKey.of(
            "foresight.namenode.graph.aging.visits",
            ValueType.integer(2, 65535),
            "255",
            "After so many opens of a file what is known of it is halved, so that new habits prevail.");

    public static final ConfKey<Double> GRAPH_USER_SHARE = ConfKey.of(
            "foresight.namenode.graph.user.share",
            ValueType.fraction(0.01, 1),
            "0.5",
            "The share of the graph that one user's opens may take up while others need it; 1 sets no limit. Users are told apart by a"
                    + " hash of their names from 1 to 255.");

    public static final ConfKey<Weights> GRAPH_WEIGHTS = ConfKey.of(
            "foresight.namenode.graph.weights",
            ValueType.choice(Weights.class),
            "exponential",
            "How the weight of a successor falls with its distance in the window.");

    public static final ConfKey<Scope> GRAPH_SCOPE = ConfKey.of(
            "foresight.namenode.graph.scope",
            ValueType.choice(Scope.class),
            "shared",
            "Whose opens are learned from together: everybody's, a user's, or those from one address.");

    public static final ConfKey<Integer> WINDOW = ConfKey.of(
            "foresight.namenode.window",
            ValueType.integer(1, 16),
            "2",
            "How many of a client's last opens the next one is taken to follow.");

    public static final ConfKey<Duration> WINDOW_IDLE_TIME = ConfKey.of(
            "foresight.namenode.window.idle.time",
            ValueType.duration("1s", "1d"),
            "5m",
            "An open after so long a pause follows nothing.");

    public static final ConfKey<Set<Identity>> CLIENT_IDENTITY = ConfKey.of(
            "foresight.namenode.client.identity",
            ValueType.choices(Identity.class),
            "client,user",
            "What makes two requests one client's, whose opens follow one another.");

    public static final ConfKey<Integer> CLIENTS_MAX = ConfKey.of(
            "foresight.namenode.clients.max",
            ValueType.integer(1, 10_000_000),
            "100000",
            "How many clients are told apart at once, within foresight.namenode.clients.capacity; the least recently seen is forgotten.");

    public static final ConfKey<Long> CLIENTS_CAPACITY = ConfKey.of(
            "foresight.namenode.clients.capacity",
            ValueType.bytes("64k", "64g"),
            "128m",
            "Heap that what is known of clients may take; the least recently seen is forgotten. A stock client takes 0.6 KiB, one that is"
                    + " predicted for up to 9 KiB.");

    public static final ConfKey<Integer> CLIENT_FILES_MAX = ConfKey.of(
            "foresight.namenode.client.files.max",
            ValueType.integer(64, 65_536),
            "1024",
            "How many files that a client was granted or has opened are remembered for it, at four bytes each; an open that the client"
                    + " served itself is learned from only if its file is among these.");

    public static final ConfKey<Set<String>> ROUTERS = ConfKey.of(
            "foresight.namenode.routers",
            ValueType.words(),
            "",
            "Addresses of the routers (router-based federation) that are believed when the caller context says for which client"
                    + " they ask.");

    public static final ConfKey<Integer> GROUP_SIZE = ConfKey.of(
            "foresight.namenode.group.size",
            ValueType.integer(0, 64),
            "16",
            "The most files that one reply tells of; 0 for none. Above 16, what comes next is found anew for each reply, which takes more"
                    + " processor time.");

    public static final ConfKey<Double> GROUP_THRESHOLD = ConfKey.of(
            "foresight.namenode.group.threshold",
            ValueType.fraction(0, 1),
            "0.05",
            "The least confidence of a prediction.");

    public static final ConfKey<Double> GROUP_USEFUL = ConfKey.of(
            "foresight.namenode.group.useful",
            ValueType.fraction(0, 1),
            "0.25",
            "The share of predictions of some confidence that a user's clients must have made use of for more to be made; 0 makes"
                    + " all.");

    public static final ConfKey<Long> GROUP_BYTES_MAX = ConfKey.of(
            "foresight.namenode.group.bytes.max",
            ValueType.bytes("1k", "4m"),
            "64k",
            "The most that predictions and changes may add to a reply; where the changes alone would be more, the client is told to forget"
                    + " everything.");

    public static final ConfKey<Integer> GROUP_BLOCKS_MAX = ConfKey.of(
            "foresight.namenode.group.blocks.max",
            ValueType.integer(1, 1000),
            "10",
            "How many blocks of a predicted file are told of; its reader asks for more when it comes there.");

    public static final ConfKey<Boolean> GROUP_CHAINS = ConfKey.of(
            "foresight.namenode.group.chains",
            ValueType.bool(),
            "true",
            "Whether what follows a predicted file is predicted as well.");

    public static final ConfKey<Integer> BUNDLE_FILES_MAX = ConfKey.of(
            "foresight.namenode.bundle.files.max",
            ValueType.integer(1, 1000),
            "100",
            "Of how many files a listing's reply carries the layouts at most.");

    public static final ConfKey<Integer> OPENED_MAX = ConfKey.of(
            "foresight.namenode.opened.max",
            ValueType.integer(0, 100_000_000),
            "262144",
            "How many paths are remembered as opened by a user, at 8 bytes of heap each. A file in a directory that the user may not"
                    + " list is returned by a prediction only if the user is remembered to have opened its path. 0: no such file is"
                    + " returned.");

    public static final ConfKey<Boolean> ENFORCER_ENABLED = ConfKey.of(
            "foresight.namenode.enforcer.enabled",
            ValueType.bool(),
            "false",
            "Whether an external INodeAttributeProvider (dfs.namenode.inode.attributes.provider.class) is asked about predicted files."
                    + " Its access log then has events of files that no user has asked for. If false, nothing is predicted for users"
                    + " whose rights the provider decides on.");

    public static final ConfKey<Integer> REFUSALS_MAX = ConfKey.of(
            "foresight.namenode.refusals.max",
            ValueType.integer(0, 10_000_000),
            "65536",
            "How many refusals of an external enforcer are remembered, at 16 bytes of heap each; the enforcer is not asked again about"
                    + " these.");

    public static final ConfKey<Duration> REFUSALS_TIME = ConfKey.of(
            "foresight.namenode.refusals.time",
            ValueType.duration("1s", "1d"),
            "10m",
            "How long a refusal of an external enforcer is remembered at least; it is forgotten after twice that time.");

    public static final ConfKey<Integer> LOCK_FILES_MAX = ConfKey.of(
            "foresight.namenode.lock.files.max",
            ValueType.integer(0, 1000),
            "8",
            "How many predicted files are read under one hold of the namesystem's lock; the lock is released before the next ones."
                    + " 0: no limit.");

    public static final ConfKey<Duration> LOCK_TIME_MAX = ConfKey.of(
            "foresight.namenode.lock.time.max",
            ValueType.duration("0ms", "10s"),
            "1ms",
            "After so long a hold of the namesystem's lock no further predicted file is read under it. 0: no limit.");

    public static final ConfKey<Integer> LOCK_QUEUE_MAX = ConfKey.of(
            "foresight.namenode.lock.queue.max",
            ValueType.integer(0, 1_000_000),
            "8",
            "While more threads than this wait for the namesystem's lock, nothing is predicted. 0: no limit.");

    public static final ConfKey<Integer> CALL_QUEUE_MAX = ConfKey.of(
            "foresight.namenode.call.queue.max",
            ValueType.integer(0, 10_000_000),
            "500",
            "While more calls than this wait for a handler, nothing is predicted. 0: no limit.");

    public static final ConfKey<Integer> PRIORITY_LEVELS = ConfKey.of(
            "foresight.namenode.priority.levels",
            ValueType.integer(0, 100),
            "3",
            "At how many priority levels of HDFS's RPC scheduler (DecayRpcScheduler) files are predicted while calls wait for a handler."
                    + " The highest level has all files; each level below has half as many as the level above. 0: all levels have"
                    + " all files.");

    public static final ConfKey<Integer> HINT_FILES = ConfKey.of(
            "foresight.namenode.hint.files",
            ValueType.integer(1, 64),
            "8",
            "Of how many files that a client without Foresight is expected to open DataNodes are told at once, where that is"
                    + " enabled.");

    public static final ConfKey<Integer> INVALIDATE_QUEUE_MAX = ConfKey.of(
            "foresight.namenode.invalidate.queue.max",
            ValueType.integer(1, 1_000_000),
            "1000",
            "How many changes are kept for one client; beyond, it is told to forget everything.");

    public static final ConfKey<Long> INVALIDATE_CAPACITY = ConfKey.of(
            "foresight.namenode.invalidate.capacity",
            ValueType.bytes("64k", "64g"),
            "64m",
            "Heap for what clients' caches hold and for the changes that wait for them, at about 260 bytes an entry. Beyond, the"
                    + " caches of the user with the most entries are told to forget everything.");

    public static final ConfKey<Duration> INVALIDATE_TAIL_PERIOD = ConfKey.of(
            "foresight.namenode.invalidate.tail.period",
            ValueType.duration("100ms", "1m"),
            "500ms",
            "How often a NameNode that is not active looks for changes in the edits that it has applied, and each for a change of"
                    + " its HA state.");

    public static final ConfKey<Integer> INVALIDATE_TAIL_MAX = ConfKey.of(
            "foresight.namenode.invalidate.tail.max",
            ValueType.integer(1000, 100_000_000),
            "100000",
            "How many edits are read again in one period at most, to find what they changed; beyond, clients are told to forget"
                    + " everything.");

    public static final ConfKey<Boolean> LEASE_ENABLED = ConfKey.of(
            "foresight.namenode.lease.enabled",
            ValueType.bool(),
            "true",
            "Whether clients get leases: they open files from cached layouts, and each change of a file recalls its layout first. Needs"
                    + " io.github.foresight.namenode.ChangeAuditLogger in dfs.namenode.audit.loggers; without it no lease is granted.");

    public static final ConfKey<Duration> LEASE_DURATION = ConfKey.of(
            "foresight.namenode.lease.duration",
            ValueType.duration("1s", "5m"),
            "10s",
            "How long a client may open files from cached layouts after the request that last renewed its lease. So long at most, and"
                    + " foresight.namenode.lease.margin, a change waits for a client that does not answer.");

    public static final ConfKey<Duration> LEASE_MARGIN = ConfKey.of(
            "foresight.namenode.lease.margin",
            ValueType.duration("1ms", "1m"),
            "500ms",
            "How much longer the NameNode takes a lease to last than the client does: as much as two clocks may drift apart meanwhile.");

    public static final ConfKey<Boolean> LEASE_REQUIRED = ConfKey.of(
            "foresight.namenode.lease.required",
            ValueType.bool(),
            "false",
            "Whether clients keep layouts under a lease only: those with foresight.client.consistency=bounded then keep none.");

    public static final ConfKey<Long> LEASE_CAPACITY = ConfKey.of(
            "foresight.namenode.lease.capacity",
            ValueType.bytes("64k", "64g"),
            "64m",
            "Heap for which client holds which layout, at about 200 bytes each. Beyond, no more layouts are granted until old ones"
                    + " are forgotten.");

    public static final ConfKey<Integer> LEASE_SESSIONS_MAX = ConfKey.of(
            "foresight.namenode.lease.sessions.max",
            ValueType.integer(1, 1_000_000),
            "20000",
            "How many clients, JVMs each, have leases at once; further ones have none and ask for each open.");

    public static final ConfKey<Integer> LEASE_FILES_MAX = ConfKey.of(
            "foresight.namenode.lease.files.max",
            ValueType.integer(1, 10_000_000),
            "20000",
            "How many layouts one client holds at most.");

    public static final ConfKey<Double> LEASE_USER_SHARE = ConfKey.of(
            "foresight.namenode.lease.user.share",
            ValueType.fraction(0.01, 1),
            "0.5",
            "What part of foresight.namenode.lease.capacity and of foresight.namenode.lease.sessions.max one user may have once half"
                    + " of all is used up; 1 sets no limit.");

    public static final ConfKey<Integer> LEASE_PARKED_MAX = ConfKey.of(
            "foresight.namenode.lease.parked.max",
            ValueType.integer(0, 1_000_000),
            "20000",
            "How many clients' calls wait at once for a recall, without a handler. Beyond, clients hear of recalls with their next"
                    + " request. 0: none.");

    public static final ConfKey<Integer> LEASE_CHANGES_MAX = ConfKey.of(
            "foresight.namenode.lease.changes.max",
            ValueType.integer(1, 1_000_000),
            "10000",
            "How many changes wait at once for clients to give layouts back, without a handler. A further one is refused with"
                    + " RetriableException.");

    public static final ConfKey<Integer> LEASE_THREADS = ConfKey.of(
            "foresight.namenode.lease.threads",
            ValueType.integer(1, 256),
            "4",
            "How many threads carry out the changes that have waited, and tell clients of recalls; they end when idle.");

    public static final ConfKey<Integer> BALANCE_APART = ConfKey.of(
            "foresight.namenode.balance.apart",
            ValueType.integer(1, 64),
            "2",
            "How many consecutive blocks are to begin on different DataNodes, as far as the replicas allow.");

    public static final ConfKey<String> CHECKPOINT_FILE = ConfKey.of(
            "foresight.namenode.checkpoint.file",
            ValueType.text(),
            "",
            "Where on the local disk what was learned is kept over a restart. Empty: nowhere.");

    public static final ConfKey<String> CHECKPOINT_HDFS_PATH = ConfKey.of(
            "foresight.namenode.checkpoint.hdfs.path",
            ValueType.text(),
            "",
            "Where in HDFS what was learned is kept for the other NameNodes of the nameservice. Each writes a file of its own:"
                    + " this path with '.' and the NameNode's id behind it. Empty: nowhere.");

    public static final ConfKey<Duration> CHECKPOINT_INTERVAL = ConfKey.of(
            "foresight.namenode.checkpoint.interval",
            ValueType.duration("1s", "30d"),
            "10m",
            "How often what was learned is written.");

    public static final ConfKey<Boolean> AUDIT_LOGGERS_ENABLED = ConfKey.of(
            "foresight.namenode.audit.loggers.enabled",
            ValueType.bool(),
            "false",
            "Whether opens that clients served by themselves are handed to the cluster's own audit loggers as well, as 'open' with"
                    + " 'foresight:served' in the caller context.");

    public static final ConfKey<Boolean> AUDIT_TIMES_ENABLED = ConfKey.of(
            "foresight.namenode.audit.times.enabled",
            ValueType.bool(),
            "true",
            "Whether opens that clients served by themselves set access times, where dfs.namenode.accesstime.precision is not 0.");

    public static final ConfKey<Long> AUDIT_CAPACITY = ConfKey.of(
            "foresight.namenode.audit.capacity",
            ValueType.bytes("64k", "4g"),
            "16m",
            "Heap that grants may take that wait to be written to the audit log, and that opens may; while there is no room, nothing is"
                    + " granted.");

    public static final ConfKey<Integer> FAILURES_MAX = ConfKey.of(
            "foresight.namenode.failures.max",
            ValueType.integer(1, 1_000_000),
            "100",
            "After more internal failures of a feature, of one cause and within a minute, the feature rests: for a minute, then for twice"
                    + " as long each time, up to an hour. HDFS goes on without it.");

    private NameNodeKeys() {}
}
