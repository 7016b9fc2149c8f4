/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Classes that a fresh JVM loads in threads of their own, just before the application's thread needs them. A JVM of a short life spends most
 * of its time in loading some thousand classes one after the other, HDFS's own among them.
 *
 * <p>Each class that is named here is loaded and verified. To verify it, the JVM loads the classes that it works with as well. None is
 * initialized: so no thread can wait for another's static initializer. A class that is missing, as in another version of Hadoop, is left out.
 *
 * <p>The threads are daemons, run once in a JVM, and end by themselves. There are none in a JVM with one processor only. Thread-safe.
 */
final class ClassesAhead implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ClassesAhead.class);

    /** From the connection to the NameNode to the first bytes of a file, in the order in which they are needed. */
    static final ClassesAhead FIRST_OPEN = new ClassesAhead(
            "org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB",
            "io.github.foresight.client.namenode.SingleNameNodeProvider",
            "io.github.foresight.protocol.conf.ClientKeys",
            "io.github.foresight.protocol.conf.ValueType",
            "io.github.foresight.client.settings.ClientSettings",
            "io.github.foresight.client.hint.HintSender",
            "io.github.foresight.client.metadata.MetadataCache",
            "io.github.foresight.client.namenode.ForesightTranslator",
            "io.github.foresight.client.lease.LeaseHubs",
            "io.github.foresight.client.lease.LeaseHub",
            "io.github.foresight.core.lease.ClientLease",
            "io.github.foresight.client.namenode.NotedCalls",
            "io.github.foresight.client.window.FileWindows",
            "org.apache.hadoop.ipc.ProtobufRpcEngine2",
            "org.apache.hadoop.ipc.Client$Connection",
            "org.apache.hadoop.ipc.protobuf.RpcHeaderProtos$RpcRequestHeaderProto",
            "org.apache.hadoop.ipc.protobuf.RpcHeaderProtos$RpcResponseHeaderProto",
            "org.apache.hadoop.security.SaslRpcClient",
            "org.apache.hadoop.hdfs.protocolPB.PBHelperClient",
            "io.github.foresight.client.hint.OpenFiles",
            "io.github.foresight.client.stream.CurrentOpen",
            "org.apache.hadoop.hdfs.protocol.proto.HdfsProtos$LocatedBlocksProto",
            "org.apache.hadoop.hdfs.protocol.proto.HdfsProtos$LocatedBlockProto",
            "org.apache.hadoop.hdfs.DFSInputStream",
            "org.apache.hadoop.hdfs.client.impl.BlockReaderFactory",
            "org.apache.hadoop.hdfs.protocol.datatransfer.Sender",
            "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$OpReadBlockProto",
            "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$BlockOpResponseProto",
            "org.apache.hadoop.hdfs.client.impl.BlockReaderRemote",
            "org.apache.hadoop.hdfs.protocol.datatransfer.PacketReceiver",
            "org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader",
            "io.github.foresight.client.ReadObserver",
            "io.github.foresight.client.window.BlockLookup");

    /** The cache of layouts and its leases, which the first open does without. */
    static final ClassesAhead FURTHER_OPENS = new ClassesAhead(
            "com.github.benmanes.caffeine.cache.Caffeine",
            "com.github.benmanes.caffeine.cache.SSMWW",
            "com.github.benmanes.caffeine.cache.PSWMW",
            "com.github.benmanes.caffeine.cache.LocalCacheFactory",
            "com.github.benmanes.caffeine.cache.NodeFactory",
            "com.github.benmanes.caffeine.cache.BoundedLocalCache$BoundedLocalManualCache",
            "com.github.benmanes.caffeine.cache.BoundedBuffer",
            "com.github.benmanes.caffeine.cache.MpscGrowableArrayQueue",
            "com.github.benmanes.caffeine.cache.FrequencySketch",
            "com.github.benmanes.caffeine.cache.AccessOrderDeque",
            "com.github.benmanes.caffeine.cache.WriteOrderDeque",
            "com.github.benmanes.caffeine.cache.BoundedLocalCache$AddTask",
            "com.github.benmanes.caffeine.cache.RemovalCause$5",
            "io.github.foresight.protocol.proto.NoteProtos$ClientNoteProto",
            "io.github.foresight.protocol.proto.NoteProtos$ClientNoteProto$Builder",
            "io.github.foresight.protocol.proto.NoteProtos$LeaseMarkProto$Builder",
            "io.github.foresight.protocol.note.Notes",
            "io.github.foresight.protocol.note.MessageBytes",
            "io.github.foresight.protocol.proto.NoteProtos$NameNodeNoteProto",
            "io.github.foresight.protocol.proto.NoteProtos$LeaseReplyProto",
            "com.google.common.collect.RegularImmutableList",
            "com.google.common.collect.Iterators",
            "com.google.common.collect.ImmutableList$SubList",
            "io.github.foresight.core.lease.LeaseReply",
            "io.github.foresight.core.lease.ClientLease$Received",
            "io.github.foresight.client.lease.MarkedRequest",
            "io.github.foresight.client.lease.LayoutGrant",
            "io.github.foresight.client.lease.PlainPaths",
            "io.github.foresight.client.metadata.ReplyLayouts",
            "io.github.foresight.client.metadata.CachedFiles",
            "io.github.foresight.client.lease.RecallCalls",
            "io.github.foresight.client.namenode.LayoutReader");

    private final List<String> names;
    private final AtomicBoolean begun = new AtomicBoolean();

    private ClassesAhead(String... names) {
        this.names = Collections.unmodifiableList(Arrays.asList(names));
    }

    List<String> names() {
        return names;
    }

    /** Begins, if this JVM has not begun before and has a processor to spare. Never fails. */
    void begin() {
        if (!begun.get()
                && begun.compareAndSet(false, true)
                && Runtime.getRuntime().availableProcessors() > 1) {
            Thread thread = new Thread(this, "foresight-classes");
            thread.setDaemon(true);
            thread.setContextClassLoader(ClassesAhead.class.getClassLoader());
            thread.start();
        }
    }

    @Override
    public void run() {
        for (String name : names) {
            try {
                link(name);
            } catch (ReflectiveOperationException | LinkageError e) {
                LOG.debug("{} is not loaded ahead", name, e);
            }
        }
    }

    /** Loads and verifies a class: the JVM verifies a class before it names the constructors. */
    static void link(String name) throws ReflectiveOperationException {
        Class<?> loaded = Class.forName(name, false, ClassesAhead.class.getClassLoader());
        Object[] unused = loaded.getDeclaredConstructors();
    }
}
