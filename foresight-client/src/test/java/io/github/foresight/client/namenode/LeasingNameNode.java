/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import static java.util.stream.Collectors.toList;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.hint.FakeDataNode;
import io.github.foresight.core.graph.Usefulness;
import io.github.foresight.core.lease.LayoutChange;
import io.github.foresight.core.lease.LeaseMark;
import io.github.foresight.core.lease.LeaseReply;
import io.github.foresight.core.lease.LeaseSettings;
import io.github.foresight.core.lease.NameNodeLeases;
import io.github.foresight.protocol.change.ChangedPaths;
import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.LeaseMarkProto;
import io.github.foresight.protocol.proto.NoteProtos.LeaseReplyProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.PredictedFileProto;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.FsPermissionProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ConcatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetServerDefaultsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.Rename2ResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetPermissionResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.TruncateResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ChecksumTypeProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DirectoryListingProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.FsServerDefaultsProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * A fake NameNode that grants leases as the real one decides them. A file's content is the id of its one block, and its status has that id
 * for a modification time. Each change of its path makes both another, as if the file were replaced. Waiting calls hold a handler.
 * Thread-safe.
 */
public final class LeasingNameNode implements AutoCloseable {

    private static final int CONFIDENCE_CLASS = 20;

    private final FakeNameNode nameNode;
    private final Object lock = new Object();
    private final long leaseMillis;

    @GuardedBy("lock")
    private final NameNodeLeases leases;

    @GuardedBy("lock")
    private final Map<String, Long> contents = new HashMap<>();

    @GuardedBy("lock")
    private final Set<Long> notified = new HashSet<>();

    @GuardedBy("lock")
    private final Set<String> predicted = new HashSet<>();

    private volatile boolean granting = true;
    private volatile boolean leaseRequired;
    private volatile boolean refusesToPark;
    private volatile int parkFailures;
    private volatile int parked;
    private volatile int released;

    /** Where set, an open's reply waits here after the layout was read. */
    private volatile CountDownLatch beforeReply = new CountDownLatch(0);

    /** Where set, a change waits here when it has come and not begun. */
    private volatile CountDownLatch beforeChange = new CountDownLatch(0);

    /** If set, the reply to a returned lease waits here. */
    private volatile CountDownLatch beforeReleased = new CountDownLatch(0);

    @FunctionalInterface
    private interface Starting {
        FakeNameNode start(FakeNameNode.Answer answer) throws IOException;
    }

    private LeasingNameNode(Duration lease, Starting starting) throws IOException {
        leaseMillis = lease.toMillis();
        leases = new NameNodeLeases(
                LeaseSettings.builder()
                        .leaseNanos(lease.toNanos())
                        .marginNanos(lease.toNanos() / 20)
                        .build(),
                7,
                System.nanoTime() - 2 * lease.toNanos());
        nameNode = starting.start(this::answer);
    }

    public static LeasingNameNode start(Duration lease) throws IOException {
        return new LeasingNameNode(lease, FakeNameNode::start);
    }

    static LeasingNameNode startAtAllAddresses(Duration lease) throws IOException {
        return new LeasingNameNode(lease, FakeNameNode::startAtAllAddresses);
    }

    private Message answer(String method, Message request) throws IOException {
        ClientNoteProto note = Notes.clientNote(request);
        LeaseMarkProto mark = note == null || !note.hasLease() || !granting ? null : note.getLease();
        return switch (method) {
            case "getBlockLocations" -> opened((GetBlockLocationsRequestProto) request, note, mark);
            case "getListing" -> listed(note, mark);
            case "getFileInfo" -> status(((GetFileInfoRequestProto) request).getSrc(), note, mark);
            case "getServerDefaults" -> park(mark);
            default -> {
                if (!ChangedPaths.isChange(request)) {
                    throw new IOException(method + " is not known here");
                }
                await(beforeChange);
                change(ChangedPaths.of(request), mark);
                yield answerToChange(method);
            }
        };
    }

    private static Message answerToChange(String method) throws IOException {
        return switch (method) {
            case "append" -> AppendResponseProto.getDefaultInstance();
            case "concat" -> ConcatResponseProto.getDefaultInstance();
            case "create" -> CreateResponseProto.getDefaultInstance();
            case "delete" -> DeleteResponseProto.newBuilder().setResult(true).build();
            case "rename" -> RenameResponseProto.newBuilder().setResult(true).build();
            case "rename2" -> Rename2ResponseProto.getDefaultInstance();
            case "setPermission" -> SetPermissionResponseProto.getDefaultInstance();
            case "truncate" ->
                TruncateResponseProto.newBuilder().setResult(true).build();
            default -> throw new IOException(method + " is not known here");
        };
    }

    private Message opened(GetBlockLocationsRequestProto request, ClientNoteProto note, LeaseMarkProto mark)
            throws IOException {
        NameNodeNoteProto.Builder reply = NameNodeNoteProto.newBuilder().setLeaseRequired(leaseRequired);
        GetBlockLocationsResponseProto.Builder response = GetBlockLocationsResponseProto.newBuilder();
        NameNodeLeases.Exchange exchange;
        boolean granted;
        synchronized (lock) {
            exchange = exchange(mark);
            granted = exchange != null && exchange.grant(request.getSrc());
            response.setLocations(layout(request.getSrc()));
            addPredicted(reply, exchange, CONFIDENCE_CLASS);
        }
        await(beforeReply);
        if (note == null) {
            return response.build();
        }
        if (exchange != null) {
            synchronized (lock) {
                reply.setLease(reply(exchange).setLayoutGranted(granted));
            }
        }
        return response.setUnknownFields(Notes.fieldsWith(reply)).build();
    }

    private Message listed(ClientNoteProto note, LeaseMarkProto mark) {
        GetListingResponseProto.Builder response = GetListingResponseProto.newBuilder();
        synchronized (lock) {
            DirectoryListingProto.Builder listing =
                    DirectoryListingProto.newBuilder().setRemainingEntries(0);
            predicted.forEach(path -> listing.addPartialListing(fileStatus(path)));
            response.setDirList(listing);
            if (note == null) {
                return response.build();
            }
            NameNodeNoteProto.Builder reply = NameNodeNoteProto.newBuilder();
            NameNodeLeases.Exchange exchange = exchange(mark);
            addPredicted(reply, exchange, Usefulness.LISTED);
            if (exchange != null) {
                reply.setLease(reply(exchange));
            }
            return response.setUnknownFields(Notes.fieldsWith(reply)).build();
        }
    }

    @GuardedBy("lock")
    private void addPredicted(NameNodeNoteProto.Builder reply, NameNodeLeases.Exchange exchange, int confidenceClass) {
        for (String path : predicted) {
            if (exchange != null && exchange.grant(path)) {
                reply.addFiles(described(path).setConfidenceClass(confidenceClass));
            }
        }
    }

    @GuardedBy("lock")
    private PredictedFileProto.Builder described(String path) {
        return PredictedFileProto.newBuilder()
                .setPath(path)
                .setStatus(fileStatus(path).toByteString())
                .setLocations(layout(path).toByteString());
    }

    private Message status(String path, ClientNoteProto note, LeaseMarkProto mark) {
        synchronized (lock) {
            GetFileInfoResponseProto.Builder response =
                    GetFileInfoResponseProto.newBuilder().setFs(fileStatus(path));
            if (note == null) {
                return response.build();
            }
            NameNodeNoteProto.Builder reply = NameNodeNoteProto.newBuilder();
            NameNodeLeases.Exchange exchange = exchange(mark);
            if (exchange != null) {
                if (exchange.grant(path)) {
                    reply.setStated(described(path));
                }
                reply.setLease(reply(exchange));
            }
            return response.setUnknownFields(Notes.fieldsWith(reply)).build();
        }
    }

    private Message park(LeaseMarkProto mark) throws IOException {
        GetServerDefaultsResponseProto.Builder response = GetServerDefaultsResponseProto.newBuilder()
                .setServerDefaults(FsServerDefaultsProto.newBuilder()
                        .setBlockSize(512)
                        .setBytesPerChecksum(512)
                        .setWritePacketSize(512)
                        .setReplication(1)
                        .setFileBufferSize(512)
                        .setEncryptDataTransfer(false)
                        .setTrashInterval(0)
                        .setChecksumType(ChecksumTypeProto.CHECKSUM_CRC32));
        if (mark == null) {
            return response.build();
        }
        if (mark.getReleased()) {
            synchronized (lock) {
                released++;
                leases.release(mark.getSession());
                lock.notifyAll();
            }
            await(beforeReleased);
            return response.build();
        }
        synchronized (lock) {
            if (parkFailures > 0) {
                parkFailures--;
                throw new IOException("not now");
            }
            parked++;
            NameNodeLeases.Exchange exchange = exchange(mark);
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(refusesToPark ? 0 : mark.getParkMillis());
            while (!exchange.hasRecalls() && !notified.remove(mark.getSession()) && until - System.nanoTime() > 0) {
                await(until);
            }
            return response.setUnknownFields(Notes.fieldsWith(NameNodeNoteProto.newBuilder()
                            .setLease(reply(exchange).setParkRefused(refusesToPark))))
                    .build();
        }
    }

    private void change(List<String> paths, LeaseMarkProto mark) throws IOException {
        synchronized (lock) {
            NameNodeLeases.Begun begun = leases.begin(
                    paths,
                    mark == null ? NameNodeLeases.NO_SESSION : mark.getSession(),
                    mark == null ? 0 : mark.getRequest(),
                    false,
                    System.nanoTime());
            begun.toNotify().forEach(holder -> notified.add(holder.id()));
            lock.notifyAll();
            LayoutChange change = begun.change();
            while (!change.isReady()) {
                await(leases.expiresNextNanos());
                leases.expire(System.nanoTime());
            }
            paths.forEach(path -> contents.merge(path, 1L, Long::sum));
            leases.end(change);
        }
    }

    @GuardedBy("lock")
    private NameNodeLeases.Exchange exchange(LeaseMarkProto mark) {
        if (mark == null) {
            return null;
        }
        NameNodeLeases.Exchange exchange = leases.exchange(
                mark.getSession(),
                "user",
                new LeaseMark(mark.getEpoch(), mark.getIncarnation(), mark.getRecall()),
                mark.getRequest(),
                System.nanoTime());
        lock.notifyAll();
        return exchange;
    }

    @GuardedBy("lock")
    private LeaseReplyProto.Builder reply(NameNodeLeases.Exchange exchange) {
        LeaseReply reply = exchange.reply(System.nanoTime());
        return LeaseReplyProto.newBuilder()
                .setEpoch(reply.epoch())
                .setIncarnation(reply.incarnation())
                .setGrantedAt(reply.grantedAt())
                .setRecallsAfter(reply.recallsAfter())
                .addAllRecalls(reply.recalls())
                .setRenewed(reply.isRenewed())
                .setLeaseMillis((int) leaseMillis)
                .setLayoutMillis((int) TimeUnit.NANOSECONDS.toMillis(reply.layoutNanos()));
    }

    @GuardedBy("lock")
    private LocatedBlocksProto layout(String path) {
        LocatedBlock block = new LocatedBlock(
                new ExtendedBlock("BP", contents.getOrDefault(path, 0L), 512, 1),
                new DatanodeInfo[] {FakeDataNode.info("node", 1)});
        block.setStartOffset(0);
        return PBHelperClient.convert(new LocatedBlocks(512, false, List.of(block), block, true, null, null));
    }

    @GuardedBy("lock")
    private HdfsFileStatusProto fileStatus(String path) {
        return HdfsFileStatusProto.newBuilder()
                .setFileType(HdfsFileStatusProto.FileType.IS_FILE)
                .setPath(ByteString.copyFromUtf8(path.substring(path.lastIndexOf('/') + 1)))
                .setLength(512)
                .setPermission(FsPermissionProto.newBuilder().setPerm(0644))
                .setOwner("user")
                .setGroup("group")
                .setModificationTime(contents.getOrDefault(path, 0L))
                .setAccessTime(0)
                .build();
    }

    @GuardedBy("lock")
    private void await(long untilNanos) throws InterruptedIOException {
        try {
            TimeUnit.NANOSECONDS.timedWait(lock, Math.max(1, untilNanos - System.nanoTime()));
        } catch (InterruptedException e) {
            throw new InterruptedIOException();
        }
    }

    private static void await(CountDownLatch latch) throws InterruptedIOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new InterruptedIOException();
        }
    }

    public int port() {
        return nameNode.port();
    }

    public int opens() {
        return nameNode.received("getBlockLocations").size();
    }

    /** The changes that came, as they came. */
    List<Message> changes() {
        return nameNode.received().stream()
                .map(FakeNameNode.Received::request)
                .filter(ChangedPaths::isChange)
                .collect(toList());
    }

    int listings() {
        return nameNode.received("getListing").size();
    }

    /** The calls of any method. */
    public int calls(String method) {
        return nameNode.received(method).size();
    }

    public int statuses() {
        return nameNode.received("getFileInfo").size();
    }

    ClientNoteProto noteOfLastOpen() {
        return noteOfLast("getBlockLocations");
    }

    /** Null where there was none. */
    ClientNoteProto noteOfLast(String method) {
        List<FakeNameNode.Received> calls = nameNode.received(method);
        return Notes.clientNote(calls.get(calls.size() - 1).request());
    }

    int parked() {
        return parked;
    }

    int released() {
        return released;
    }

    int sessions() {
        synchronized (lock) {
            return leases.sessions();
        }
    }

    public void predict(String path) {
        synchronized (lock) {
            predicted.add(path);
        }
    }

    void grantNoMore() {
        granting = false;
    }

    void requireLeases() {
        granting = false;
        leaseRequired = true;
    }

    void refuseToPark() {
        refusesToPark = true;
    }

    void failToPark(int times) {
        synchronized (lock) {
            parkFailures = times;
        }
    }

    /** Replies to opens are held back from now on, until this is counted down. */
    CountDownLatch holdReplies() {
        CountDownLatch held = new CountDownLatch(1);
        beforeReply = held;
        return held;
    }

    /** Changes are held back from now on before they begin, until this is counted down. */
    CountDownLatch holdChanges() {
        CountDownLatch held = new CountDownLatch(1);
        beforeChange = held;
        return held;
    }

    /** Whoever gives a lease back is not answered from now on, until this is counted down. */
    CountDownLatch holdReleases() {
        CountDownLatch held = new CountDownLatch(1);
        beforeReleased = held;
        return held;
    }

    void replyAtOnce() {
        beforeReply = new CountDownLatch(0);
    }

    @Override
    public void close() {
        nameNode.close();
    }
}
