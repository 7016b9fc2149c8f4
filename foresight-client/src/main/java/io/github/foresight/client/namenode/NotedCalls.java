/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import io.github.foresight.client.lease.LeaseMember;
import io.github.foresight.client.lease.MarkedRequest;
import io.github.foresight.client.metadata.MetadataCache;
import io.github.foresight.client.metadata.PredictedLayout;
import io.github.foresight.client.metadata.ReplyLayouts;
import io.github.foresight.client.metrics.ClientMetrics;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens, listings and statuses over one connection whose requests carry a note to the NameNode, and whose replies fill the cache with the layouts
 * that the NameNode's note grants.
 *
 * <p>Whatever fails around a note, the call itself goes on as HDFS's. Each call waits for the NameNode as HDFS's does. Keeps nothing
 * itself. Thread-safe.
 */
final class NotedCalls {

    private static final Logger LOG = LoggerFactory.getLogger(NotedCalls.class);

    private final ClientNamenodeProtocolPB nameNode;
    private final ClientSettings settings;
    private final MetadataCache cache;
    private final LeaseMember leases;
    private final Consumer<List<PredictedLayout>> warming;
    private final ClientMetrics metrics = ClientMetrics.INSTANCE;

    /**
     * Calls over a connection.
     *
     * @param leases this connection's part in leases
     * @param warming has the first reads of these files made resident
     */
    NotedCalls(
            ClientNamenodeProtocolPB nameNode,
            ClientSettings settings,
            MetadataCache cache,
            LeaseMember leases,
            Consumer<List<PredictedLayout>> warming) {
        this.nameNode = nameNode;
        this.settings = settings;
        this.cache = cache;
        this.leases = leases;
        this.warming = warming;
    }

    /**
     * Opens a file at the NameNode.
     *
     * @param asking whether the NameNode is asked for predictions as well
     * @return the layout, or null if there is no such file
     */
    @Nullable
    LocatedBlocksProto open(String path, boolean asking) throws IOException {
        long askedAt = cache.position();
        MarkedRequest marked = asking ? marked() : null;
        GetBlockLocationsRequestProto.Builder request = GetBlockLocationsRequestProto.newBuilder()
                .setSrc(path)
                .setOffset(0)
                .setLength(settings.layoutRequestBytes());
        if (asking) {
            request.setUnknownFields(note(path, cache::note, marked));
        }
        GetBlockLocationsRequestProto sent = request.build();
        GetBlockLocationsResponseProto response;
        try {
            response = nameNode.getBlockLocations(null, sent);
        } catch (ServiceException e) {
            throw failed(path, sent, e);
        }
        if (!response.hasLocations()) {
            return null;
        }
        opened(path, response.getLocations(), Notes.nameNodeNote(response), marked, askedAt);
        return response.getLocations();
    }

    private void opened(
            String path,
            LocatedBlocksProto layout,
            @Nullable NameNodeNoteProto note,
            @Nullable MarkedRequest marked,
            long askedAt) {
        if (settings.isStrict()) {
            takeUnderLease(path, layout, note, marked);
            if (settings.isImmutable(path)) {
                guarded(path, () -> cache.keepImmutable(path, layout, askedAt));
            }
        } else if (note != null) {
            guarded(path, () -> {
                cache.answered(path, layout, note, askedAt);
                warming.accept(cache.take(note, askedAt));
            });
        }
    }

    /** Lists a directory at the NameNode, which may send the layouts of the directory's files along. */
    GetListingResponseProto list(String path, byte[] startAfter, boolean needLocation) throws IOException {
        long askedAt = cache.position();
        MarkedRequest marked = marked();
        GetListingRequestProto request = GetListingRequestProto.newBuilder()
                .setSrc(path)
                .setStartAfter(ByteString.copyFrom(startAfter))
                .setNeedLocation(needLocation)
                .setUnknownFields(note(path, cache::note, marked))
                .build();
        GetListingResponseProto response;
        try {
            response = nameNode.getListing(null, request);
        } catch (ServiceException e) {
            throw failed(path, request, e);
        }
        NameNodeNoteProto note = Notes.nameNodeNote(response);
        if (settings.isStrict()) {
            takeUnderLease(path, null, note, marked);
        } else if (note != null) {
            guarded(path, () -> cache.take(note, askedAt));
        }
        return response;
    }

    /** Asks the NameNode for a file's status under a lease, with the layout of the file, which is about to be opened. */
    GetFileInfoResponseProto status(String path) throws IOException {
        MarkedRequest marked = marked();
        GetFileInfoRequestProto request = GetFileInfoRequestProto.newBuilder()
                .setSrc(path)
                .setUnknownFields(note(path, cache::noteOfStatus, marked))
                .build();
        GetFileInfoResponseProto response;
        try {
            response = nameNode.getFileInfo(null, request);
        } catch (ServiceException e) {
            throw failed(path, request, e);
        }
        takeUnderLease(path, null, Notes.nameNodeNote(response), marked);
        return response;
    }

    /** A request that will carry a mark, or null where layouts are cached without a lease. */
    private @Nullable MarkedRequest marked() {
        return settings.isStrict() ? leases.sending() : null;
    }

    /** The note that goes with a request about a path, or nothing if it cannot be made. */
    private UnknownFieldSet note(
            String path, Supplier<ClientNoteProto.Builder> contents, @Nullable MarkedRequest marked) {
        try {
            ClientNoteProto.Builder note = contents.get();
            if (marked != null) {
                note.setLease(marked.mark());
            }
            return Notes.fieldsWith(note);
        } catch (RuntimeException | LinkageError e) {
            metrics.internalErrors.incr();
            LOG.debug("The NameNode is asked for {} without a note", path, e);
            return UnknownFieldSet.getDefaultInstance();
        }
    }

    /**
     * Applies a reply's lease, and caches the layouts that the reply grants; a reply that says nothing of a lease grants nothing.
     *
     * @param layout of the file that was opened, or null
     */
    private void takeUnderLease(
            String path,
            @Nullable LocatedBlocksProto layout,
            @Nullable NameNodeNoteProto note,
            @Nullable MarkedRequest marked) {
        if (marked == null || note == null || !note.hasLease()) {
            return;
        }
        try {
            ReplyLayouts layouts = cache.layouts(path, note.getLease().getLayoutGranted() ? layout : null, note);
            leases.receive(marked, note.getLease(), (mayKeep, grant) -> cache.keep(layouts, mayKeep, grant));
            warming.accept(cache.kept(layouts));
        } catch (RuntimeException | LinkageError e) {
            leases.abandon(e);
        }
    }

    /** A request may have been answered without the answer's arriving, unless the NameNode's own error has arrived. */
    private IOException failed(String path, Message request, ServiceException e) {
        IOException thrown = unwrapped(e);
        if (!(thrown instanceof RemoteException)) {
            guarded(path, () -> {
                ClientNoteProto note = Notes.clientNote(request);
                if (note != null) {
                    cache.restoreNote(note);
                }
            });
        }
        return thrown;
    }

    /** As HDFS's translator throws it. */
    private static IOException unwrapped(ServiceException e) {
        Throwable cause = e.getCause();
        return cause instanceof IOException ? (IOException) cause : new IOException(e);
    }

    private void guarded(String path, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | LinkageError e) {
            metrics.internalErrors.incr();
            LOG.debug("{} is used as HDFS uses it", path, e);
        }
    }
}
