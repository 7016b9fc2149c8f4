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

    /**
     * From the connection to the NameNode to the first bytes of a file, in the order in which they are needed. Most of the time goes to the
     * messages that {@code BlockingInterface} and {@code ClientProtocol} name: HDFS's proxies of these need them all.
     */
    private static final List<String> NAMES = Collections.unmodifiableList(Arrays.asList(
            "io.github.foresight.client.namenode.SingleNameNodeProvider",
            "io.github.foresight.protocol.conf.ClientKeys",
            "io.github.foresight.protocol.conf.ClientKeys$Consistency",
            "io.github.foresight.protocol.conf.ClientKeys$WindowShape",
            "io.github.foresight.protocol.conf.ValueType",
            "io.github.foresight.protocol.conf.KeyCatalogue",
            "io.github.foresight.client.settings.ClientSettings",
            "org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos$ClientNamenodeProtocol$BlockingInterface",
            "io.github.foresight.client.hint.HintSender",
            "io.github.foresight.client.metadata.MetadataCache",
            "io.github.foresight.client.metadata.PredictionOutcomes",
            "io.github.foresight.client.metadata.CachedFiles",
            "io.github.foresight.core.metadata.SegmentedLru",
            "io.github.foresight.client.namenode.ForesightTranslator",
            "io.github.foresight.client.lease.LeaseHubs",
            "io.github.foresight.client.lease.LeaseHub",
            "io.github.foresight.core.lease.ClientLease",
            "io.github.foresight.client.namenode.NotedCalls",
            "io.github.foresight.client.namenode.ChangeCalls",
            "io.github.foresight.client.window.FileWindows",
            "org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB",
            "org.apache.hadoop.hdfs.protocol.ClientProtocol",
            "org.apache.hadoop.ipc.ProtobufRpcEngine2",
            "org.apache.hadoop.thirdparty.protobuf.CodedInputStream$StreamDecoder",
            "org.apache.hadoop.hdfs.ClientContext",
            "org.apache.hadoop.hdfs.shortcircuit.ShortCircuitCache",
            "org.apache.hadoop.hdfs.KeyProviderCache",
            "org.apache.hadoop.hdfs.protocol.datatransfer.sasl.SaslDataTransferClient",
            "com.google.re2j.RE2",
            "com.google.re2j.Parser",
            "com.google.re2j.Compiler",
            "com.google.re2j.UnicodeTables",
            "org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos$RequestHeaderProto$Builder",
            "org.apache.hadoop.ipc.Client$Connection",
            "org.apache.hadoop.ipc.protobuf.RpcHeaderProtos$RpcRequestHeaderProto$Builder",
            "org.apache.hadoop.ipc.protobuf.RpcHeaderProtos$RPCCallerContextProto$Builder",
            "org.apache.hadoop.thirdparty.protobuf.CodedOutputStream$OutputStreamEncoder",
            "org.apache.hadoop.thirdparty.protobuf.UnsafeUtil",
            "org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos$IpcConnectionContextProto$Builder",
            "org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos$UserInformationProto$Builder",
            "org.apache.hadoop.ipc.protobuf.RpcHeaderProtos$RpcResponseHeaderProto$Builder",
            "org.apache.hadoop.hdfs.protocolPB.PBHelperClient",
            "org.apache.hadoop.hdfs.protocol.proto.HdfsProtos$HdfsFileStatusProto$Builder",
            "org.apache.hadoop.hdfs.protocol.proto.AclProtos$FsPermissionProto$Builder",
            "io.github.foresight.client.hint.OpenFiles",
            "io.github.foresight.client.stream.CurrentOpen",
            "org.apache.hadoop.hdfs.protocol.proto.HdfsProtos$LocatedBlocksProto$Builder",
            "org.apache.hadoop.hdfs.protocol.proto.HdfsProtos$LocatedBlockProto$Builder",
            "org.apache.hadoop.hdfs.protocol.proto.HdfsProtos$ExtendedBlockProto$Builder",
            "org.apache.hadoop.hdfs.protocol.proto.HdfsProtos$DatanodeInfoProto$Builder",
            "org.apache.hadoop.hdfs.protocol.proto.HdfsProtos$DatanodeIDProto$Builder",
            "org.apache.hadoop.security.proto.SecurityProtos$TokenProto$Builder",
            "org.apache.hadoop.hdfs.protocol.proto.HdfsProtos$FsServerDefaultsProto$Builder",
            "org.apache.hadoop.hdfs.DFSInputStream",
            "org.apache.hadoop.hdfs.client.impl.BlockReaderFactory",
            "org.apache.hadoop.hdfs.protocol.datatransfer.Sender",
            "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos",
            "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$OpReadBlockProto$Builder",
            "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$ClientOperationHeaderProto$Builder",
            "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$BaseHeaderProto$Builder",
            "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$CachingStrategyProto$Builder",
            "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$BlockOpResponseProto$Builder",
            "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$ReadOpChecksumInfoProto$Builder",
            "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$ChecksumProto$Builder",
            "org.apache.hadoop.hdfs.client.impl.BlockReaderRemote",
            "org.apache.hadoop.hdfs.protocol.datatransfer.PacketReceiver",
            "org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader",
            "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$PacketHeaderProto$Builder",
            "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$ClientReadStatusProto$Builder",
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

    /**
     * Loads and verifies a class: the JVM verifies a class before it names the constructors. Of an interface, it loads the classes that the
     * methods take and return.
     */
    static void link(String name) throws ReflectiveOperationException {
        Class<?> loaded = Class.forName(name, false, ClassesAhead.class.getClassLoader());
        Object[] unused = loaded.isInterface() ? loaded.getDeclaredMethods() : loaded.getDeclaredConstructors();
    }
}
