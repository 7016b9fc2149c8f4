/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import java.time.Duration;
import java.util.Set;

/** The keys that a NameNode reads. */
public final class NameNodeKeys {

    /** The properties by which clients are distinguished. */
    public enum Identity {
        /** The id of the RPC client; a process has one. */
        CLIENT,
        USER,
        /** The address from which the request came. */
        ADDRESS,
        /** The caller context, which names a job or a query if an engine sets it. */
        CONTEXT
    }

    /** The ways in which weight falls with distance. */
    public enum Weights {
        IDENTICAL,
        LINEAR,
        POLYNOMIAL,
        EXPONENTIAL
    }

    /** The clients whose opens share a graph. */
    public enum Scope {
        SHARED,
        USER,
        /** The paper's form: each client host has its own graph. */
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
            "Whether the NameNode returns predicted files to clients that ask for them.");

    public static final ConfKey<Boolean> SIBLINGS_ENABLED = ConfKey.of(
            "foresight.namenode.siblings.enabled",
            ValueType.bool(),
            "true",
            "Whether part-00017 is predicted after part-00016 as long as nothing better is known.");

    public static final ConfKey<Boolean> INVALIDATE_ENABLED = ConfKey.of(
            "foresight.namenode.invalidate.enabled",
            ValueType.bool(),
            "true",
            "Whether the next reply to a client names those of its predicted files that have changed" + " since.");

    public static final ConfKey<Boolean> BALANCE_ENABLED = ConfKey.of(
            "foresight.namenode.balance.enabled",
            ValueType.bool(),
            "true",
            "Whether replicas at equal distance from the reader are ordered by load, and in such a way"
                    + " that consecutive blocks come from different DataNodes.");

    public static final ConfKey<Boolean> BUNDLE_ENABLED = ConfKey.of(
            "foresight.namenode.bundle.enabled",
            ValueType.bool(),
            "true",
            "Whether the reply to a listing carries the layouts of the listed files, and the reply to a"
                    + " status the file's layout, for clients that ask for them.");

    public static final ConfKey<Boolean> REUSE_ENABLED = ConfKey.of(
            "foresight.namenode.reuse.enabled",
            ValueType.bool(),
            "true",
            "Whether the description of a DataNode is serialized once for each of its heartbeats instead"
                    + " of for each replica in each answer. The answers are the same to the byte.");

    public static final ConfKey<Boolean> HINT_ENABLED = ConfKey.of(
            "foresight.namenode.hint.enabled",
            ValueType.bool(),
            "false",
            "Whether the NameNode sends hints to DataNodes about the predicted files of clients without"
                    + " Foresight. The first block of each file is then in memory when it is opened. A prediction"
                    + " follows each such open, which costs the NameNode a few microseconds.");

    public static final ConfKey<Long> GRAPH_CAPACITY = ConfKey.of(
            "foresight.namenode.graph.capacity",
            ValueType.bytes("1m", "1t"),
            "256m",
            "Memory of the graphs outside the heap. A third of it is for files, at 137 bytes each with 12"
                    + " successors, the rest for pairs of files. It is allocated when the NameNode starts; if"
                    + " -XX:MaxDirectMemorySize is set, raise it by as much.");

    public static final ConfKey<Integer> GRAPH_SUCCESSORS = ConfKey.of(
            "foresight.namenode.graph.successors",
            ValueType.integer(1, 64),
            "12",
            "The most successors of a file that are kept; the strongest are kept.");

    public static final ConfKey<Integer> GRAPH_AGING_VISITS = ConfKey.of(
            "foresight.namenode.graph.aging.visits",
            ValueType.integer(2, 65535),
            "255",
            "After this many opens of a file its counts and weights are halved, so that new habits" + " prevail.");

    public static final ConfKey<Double> GRAPH_USER_SHARE = ConfKey.of(
            "foresight.namenode.graph.user.share",
            ValueType.fraction(0.01, 1),
            "0.5",
            "The share of the graph that one user's opens may keep while others need room; 1 sets no"
                    + " limit. Users are distinguished by a hash of their names from 1 to 255.");

    public static final ConfKey<Weights> GRAPH_WEIGHTS = ConfKey.of(
            "foresight.namenode.graph.weights",
            ValueType.choice(Weights.class),
            "exponential",
            "The way in which the weight of a successor falls with its distance in the window.");

    public static final ConfKey<Scope> GRAPH_SCOPE = ConfKey.of(
            "foresight.namenode.graph.scope",
            ValueType.choice(Scope.class),
            "shared",
            "The opens that share a graph: those of all clients, of a user, or from one address.");

    public static final ConfKey<Integer> WINDOW = ConfKey.of(
            "foresight.namenode.window",
            ValueType.integer(1, 16),
            "2",
            "The number of a client's last opens that the next open follows in the graph.");

    public static final ConfKey<Duration> WINDOW_IDLE_TIME = ConfKey.of(
            "foresight.namenode.window.idle.time",
            ValueType.duration("1s", "1d"),
            "5m",
            "An open after a longer pause follows no earlier open.");

    public static final ConfKey<Set<Identity>> CLIENT_IDENTITY = ConfKey.of(
            "foresight.namenode.client.identity",
            ValueType.choices(Identity.class),
            "client,user",
            "The properties that two requests of one client have in common; the opens of one client"
                    + " follow one another.");

    public static final ConfKey<Integer> CLIENTS_MAX = ConfKey.of(
            "foresight.namenode.clients.max",
            ValueType.integer(1, 10_000_000),
            "100000",
            "The most clients that are distinguished at once, within foresight.namenode.clients.capacity;"
                    + " the least recently seen is forgotten.");

    public static final ConfKey<Long> CLIENTS_CAPACITY = ConfKey.of(
            "foresight.namenode.clients.capacity",
            ValueType.bytes("64k", "64g"),
            "128m",
            "The heap of the clients' records; the least recently seen client is forgotten. A stock"
                    + " client takes 0.6 KiB, a client with predictions up to 9 KiB.");

    public static final ConfKey<Integer> CLIENT_FILES_MAX = ConfKey.of(
            "foresight.namenode.client.files.max",
            ValueType.integer(64, 65_536),
            "1024",
            "The most granted or opened files that are remembered for a client, at four bytes each. The"
                    + " NameNode learns an open that the client served itself only if its file is among these.");

    public static final ConfKey<Set<String>> ROUTERS = ConfKey.of(
            "foresight.namenode.routers",
            ValueType.words(),
            "",
            "Addresses of trusted routers (router-based federation). A router's caller context names the"
                    + " client for which it asks.");

    public static final ConfKey<Integer> GROUP_SIZE = ConfKey.of(
            "foresight.namenode.group.size",
            ValueType.integer(0, 64),
            "16",
            "The most predicted files in one reply; 0 for none. Above 16, each reply needs a new"
                    + " prediction, which takes more processor time.");

    public static final ConfKey<Double> GROUP_THRESHOLD = ConfKey.of(
            "foresight.namenode.group.threshold",
            ValueType.fraction(0, 1),
            "0.05",
            "The least confidence of a prediction.");

    public static final ConfKey<Double> GROUP_USEFUL = ConfKey.of(
            "foresight.namenode.group.useful",
            ValueType.fraction(0, 1),
            "0.25",
            "Predictions of a confidence are made only if a user's clients have used at least this share"
                    + " of earlier predictions of this confidence; 0 makes all.");

    public static final ConfKey<Long> GROUP_BYTES_MAX = ConfKey.of(
            "foresight.namenode.group.bytes.max",
            ValueType.bytes("1k", "4m"),
            "64k",
            "The most bytes that predictions and changes may add to a reply. If the changes alone are"
                    + " more, the client must forget all its entries.");

    public static final ConfKey<Integer> GROUP_BLOCKS_MAX = ConfKey.of(
            "foresight.namenode.group.blocks.max",
            ValueType.integer(1, 1000),
            "10",
            "The most blocks of a predicted file in a reply; a reader that comes to further blocks asks"
                    + " for them.");

    public static final ConfKey<Boolean> GROUP_CHAINS = ConfKey.of(
            "foresight.namenode.group.chains",
            ValueType.bool(),
            "true",
            "Whether the successors of a predicted file are predicted as well.");

    public static final ConfKey<Integer> BUNDLE_FILES_MAX = ConfKey.of(
            "foresight.namenode.bundle.files.max",
            ValueType.integer(1, 1000),
            "100",
            "The most files whose layouts a listing's reply carries.");

    public static final ConfKey<Integer> OPENED_MAX = ConfKey.of(
            "foresight.namenode.opened.max",
            ValueType.integer(0, 100_000_000),
            "262144",
            "The most remembered pairs of a user and a path that the user has opened, at 8 bytes of heap"
                    + " each. A file in a directory that the user may not list is predicted only if the user is"
                    + " remembered to have opened its path. 0: no such file is predicted.");

    public static final ConfKey<Boolean> ENFORCER_ENABLED = ConfKey.of(
            "foresight.namenode.enforcer.enabled",
            ValueType.bool(),
            "false",
            "Whether an external INodeAttributeProvider (dfs.namenode.inode.attributes.provider.class) is"
                    + " asked about predicted files. Its access log then has events of files that no user has asked"
                    + " for. If false, nothing is predicted for users whose permissions the provider decides.");

    public static final ConfKey<Integer> REFUSALS_MAX = ConfKey.of(
            "foresight.namenode.refusals.max",
            ValueType.integer(0, 10_000_000),
            "65536",
            "The most remembered refusals of an external enforcer, at 16 bytes of heap each; the enforcer"
                    + " is not asked again about these.");

    public static final ConfKey<Duration> REFUSALS_TIME = ConfKey.of(
            "foresight.namenode.refusals.time",
            ValueType.duration("1s", "1d"),
            "10m",
            "The time for which a refusal of an external enforcer is remembered at least; it is forgotten"
                    + " after twice this time.");

    public static final ConfKey<Integer> LOCK_FILES_MAX = ConfKey.of(
            "foresight.namenode.lock.files.max",
            ValueType.integer(0, 1000),
            "8",
            "The most predicted files that are read under one hold of the namesystem's lock; the lock is"
                    + " released before further files. 0: no limit.");

    public static final ConfKey<Duration> LOCK_TIME_MAX = ConfKey.of(
            "foresight.namenode.lock.time.max",
            ValueType.duration("0ms", "10s"),
            "1ms",
            "After this time a hold of the namesystem's lock reads no further predicted file. 0: no" + " limit.");

    public static final ConfKey<Integer> LOCK_QUEUE_MAX = ConfKey.of(
            "foresight.namenode.lock.queue.max",
            ValueType.integer(0, 1_000_000),
            "8",
            "While more threads than this wait for the namesystem's lock, nothing is predicted. 0: no" + " limit.");

    public static final ConfKey<Integer> CALL_QUEUE_MAX = ConfKey.of(
            "foresight.namenode.call.queue.max",
            ValueType.integer(0, 10_000_000),
            "500",
            "While more calls than this wait for a handler, nothing is predicted. 0: no limit.");

    public static final ConfKey<Integer> PRIORITY_LEVELS = ConfKey.of(
            "foresight.namenode.priority.levels",
            ValueType.integer(0, 100),
            "3",
            "The number of priority levels of HDFS's RPC scheduler (DecayRpcScheduler) at which files are"
                    + " predicted while calls wait for a handler. The highest level has all files; each level below"
                    + " has half as many as the level above. 0: all levels have all files.");

    public static final ConfKey<Integer> HINT_FILES = ConfKey.of(
            "foresight.namenode.hint.files",
            ValueType.integer(1, 64),
            "8",
            "The most predicted files of a client without Foresight about which hints are sent at once,"
                    + " if foresight.namenode.hint.enabled is true.");

    public static final ConfKey<Integer> INVALIDATE_QUEUE_MAX = ConfKey.of(
            "foresight.namenode.invalidate.queue.max",
            ValueType.integer(1, 1_000_000),
            "1000",
            "The most changes that are kept for one client; with more changes, the client must forget all"
                    + " its entries.");

    public static final ConfKey<Long> INVALIDATE_CAPACITY = ConfKey.of(
            "foresight.namenode.invalidate.capacity",
            ValueType.bytes("64k", "64g"),
            "64m",
            "The heap of the records of clients' caches and of the changes that wait for them, at about"
                    + " 260 bytes an entry. Above it, the caches of the user with the most entries must forget all"
                    + " their entries.");

    public static final ConfKey<Duration> INVALIDATE_TAIL_PERIOD = ConfKey.of(
            "foresight.namenode.invalidate.tail.period",
            ValueType.duration("100ms", "1m"),
            "500ms",
            "The period after which a NameNode that is not active looks for changes in the edits that it"
                    + " has applied. Each NameNode also checks its HA state after this period.");

    public static final ConfKey<Integer> INVALIDATE_TAIL_MAX = ConfKey.of(
            "foresight.namenode.invalidate.tail.max",
            ValueType.integer(1000, 100_000_000),
            "100000",
            "The most edits that are read again in one period to find their changes. With more edits,"
                    + " clients must forget all their entries.");

    public static final ConfKey<Boolean> LEASE_ENABLED = ConfKey.of(
            "foresight.namenode.lease.enabled",
            ValueType.bool(),
            "true",
            "Whether clients get leases: they open files from cached layouts, and each change of a file"
                    + " recalls its layout first. Needs io.github.foresight.namenode.ChangeAuditLogger in"
                    + " dfs.namenode.audit.loggers; without it no lease is granted.");

    public static final ConfKey<Duration> LEASE_DURATION = ConfKey.of(
            "foresight.namenode.lease.duration",
            ValueType.duration("1s", "5m"),
            "10s",
            "The time for which a client may open files from cached layouts after the request that last"
                    + " renewed its lease. A change waits at most for this time plus foresight.namenode.lease.margin"
                    + " for a client that does not answer.");

    public static final ConfKey<Duration> LEASE_MARGIN = ConfKey.of(
            "foresight.namenode.lease.margin",
            ValueType.duration("1ms", "1m"),
            "500ms",
            "The additional time for which a lease is valid at the NameNode; covers the drift of the"
                    + " clocks of NameNode and client during a lease.");

    public static final ConfKey<Duration> LEASE_LAYOUT_AGE = ConfKey.of(
            "foresight.namenode.lease.layout.age",
            ValueType.duration("1s", "10m"),
            "10s",
            "The age up to which clients use a layout under a lease, even if foresight.client.metadata.age is"
                    + " more. The NameNode remembers each grant for up to twice this time.");

    public static final ConfKey<Boolean> LEASE_REQUIRED = ConfKey.of(
            "foresight.namenode.lease.required",
            ValueType.bool(),
            "false",
            "Whether clients cache layouts under a lease only. If true, clients with"
                    + " foresight.client.consistency=bounded cache none.");

    public static final ConfKey<Long> LEASE_CAPACITY = ConfKey.of(
            "foresight.namenode.lease.capacity",
            ValueType.bytes("64k", "64g"),
            "64m",
            "The heap of the table of layouts that clients hold, at about 200 bytes each. Above it, no"
                    + " layouts are granted until old grants are forgotten.");

    public static final ConfKey<Integer> LEASE_SESSIONS_MAX = ConfKey.of(
            "foresight.namenode.lease.sessions.max",
            ValueType.integer(1, 1_000_000),
            "20000",
            "The most clients with leases; a client is a JVM. Further clients have no lease and ask for"
                    + " each open.");

    public static final ConfKey<Integer> LEASE_FILES_MAX = ConfKey.of(
            "foresight.namenode.lease.files.max",
            ValueType.integer(1, 10_000_000),
            "100000",
            "The most layouts that one client is granted within twice foresight.namenode.lease.layout.age.");

    public static final ConfKey<Double> LEASE_USER_SHARE = ConfKey.of(
            "foresight.namenode.lease.user.share",
            ValueType.fraction(0.01, 1),
            "0.5",
            "The share of foresight.namenode.lease.capacity and of foresight.namenode.lease.sessions.max"
                    + " that one user may have once half of all is used; 1 sets no limit.");

    public static final ConfKey<Integer> LEASE_PARKED_MAX = ConfKey.of(
            "foresight.namenode.lease.parked.max",
            ValueType.integer(0, 1_000_000),
            "20000",
            "The most clients' calls that wait at once for a recall, without a handler. Further clients"
                    + " receive recalls with their next request. 0: no call waits.");

    public static final ConfKey<Integer> LEASE_CHANGES_MAX = ConfKey.of(
            "foresight.namenode.lease.changes.max",
            ValueType.integer(1, 1_000_000),
            "10000",
            "The most changes that wait at once for clients to return layouts, without a handler. A"
                    + " further change is refused with RetriableException.");

    public static final ConfKey<Integer> LEASE_THREADS = ConfKey.of(
            "foresight.namenode.lease.threads",
            ValueType.integer(1, 256),
            "4",
            "The number of threads that carry out the waiting changes and send recalls to clients. They"
                    + " end when idle.");

    public static final ConfKey<Integer> BALANCE_APART = ConfKey.of(
            "foresight.namenode.balance.apart",
            ValueType.integer(1, 64),
            "2",
            "The number of consecutive blocks that begin on different DataNodes, as far as the replicas" + " allow.");

    public static final ConfKey<String> CHECKPOINT_FILE = ConfKey.of(
            "foresight.namenode.checkpoint.file",
            ValueType.text(),
            "",
            "The local file that keeps the graphs over a restart. Empty: none.");

    public static final ConfKey<String> CHECKPOINT_HDFS_PATH = ConfKey.of(
            "foresight.namenode.checkpoint.hdfs.path",
            ValueType.text(),
            "",
            "The path in HDFS that keeps the graphs for the other NameNodes of the nameservice. Each"
                    + " NameNode writes its own file: this path, '.' and the NameNode's id. Empty: none.");

    public static final ConfKey<Duration> CHECKPOINT_INTERVAL = ConfKey.of(
            "foresight.namenode.checkpoint.interval",
            ValueType.duration("1s", "30d"),
            "10m",
            "The interval at which the graphs are written.");

    public static final ConfKey<Boolean> AUDIT_LOGGERS_ENABLED = ConfKey.of(
            "foresight.namenode.audit.loggers.enabled",
            ValueType.bool(),
            "false",
            "Whether opens that clients served themselves are also sent to the cluster's own audit"
                    + " loggers, as 'open' with 'foresight:served' in the caller context.");

    public static final ConfKey<Boolean> AUDIT_TIMES_ENABLED = ConfKey.of(
            "foresight.namenode.audit.times.enabled",
            ValueType.bool(),
            "true",
            "Whether opens that clients served themselves set access times, if"
                    + " dfs.namenode.accesstime.precision is not 0.");

    public static final ConfKey<Long> AUDIT_CAPACITY = ConfKey.of(
            "foresight.namenode.audit.capacity",
            ValueType.bytes("64k", "4g"),
            "16m",
            "The heap of grants that wait to be written to the audit log, and equally of opens. While"
                    + " there is no room, nothing is granted.");

    public static final ConfKey<Integer> FAILURES_MAX = ConfKey.of(
            "foresight.namenode.failures.max",
            ValueType.integer(1, 1_000_000),
            "100",
            "After more internal failures of a feature of one cause within a minute, the feature rests."
                    + " The first rest lasts a minute, each further rest twice as long, up to an hour. HDFS"
                    + " continues without the feature.");

    private NameNodeKeys() {}
}
