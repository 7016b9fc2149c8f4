/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the classes of the first open in a thread of its own, while the first file system of a JVM connects to its NameNode. A JVM of a short
 * life spends most of its time in loading some thousand classes one after the other, HDFS's own among them.
 *
 * <p>Each class that is named here is loaded and verified. To verify it, the JVM loads the classes that it works with as well. None is
 * initialized: so no thread can wait for another's static initializer. A class that is missing, as in another version of Hadoop, is left out.
 *
 * <p>The thread is a daemon, runs once in a JVM, and ends by itself. There is none in a JVM with one processor only. Thread-safe.
 */
final class ClassesAhead implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ClassesAhead.class);

    /** From the connection to the NameNode to the first bytes of a file, in the order in which they are needed. */
    private static final List<String> NAMES = Collections.unmodifiableList(Arrays.asList(
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
            "io.github.foresight.client.window.BlockLookup"));

    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private ClassesAhead() {}

    static List<String> names() {
        return NAMES;
    }

    /** Begins, if this JVM has not begun before and has a processor to spare. */
    static void begin() {
        if (Runtime.getRuntime().availableProcessors() > 1 && BEGUN.compareAndSet(false, true)) {
            Thread thread = new Thread(new ClassesAhead(), "foresight-classes");
            thread.setDaemon(true);
            thread.setContextClassLoader(ClassesAhead.class.getClassLoader());
            thread.start();
        }
    }

    @Override
    public void run() {
        for (String name : NAMES) {
            try {
                link(name);
            } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
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
