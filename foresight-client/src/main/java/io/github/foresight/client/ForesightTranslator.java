/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import io.github.foresight.client.MetadataCache.Kept;
import io.github.foresight.client.MetadataCache.Layouts;
import io.github.foresight.client.lease.LeaseHubs;
import io.github.foresight.client.lease.LeaseMember;
import io.github.foresight.client.lease.MarkedRequest;
import io.github.foresight.protocol.conf.ClientKeys;
import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS's translator to the NameNode, with the layouts of files opened for reading remembered, asked for before they are needed, and
 * served again.
 *
 * <p>An open carries a note to the NameNode and brings one back. An open stream that asks for more of its layout is answered by
 * the NameNode, and the answer is remembered for hints. Whoever asks for locations themselves gets the NameNode's answer as it is. {@link
 * LayoutCaller} tells them apart. What hints need beyond the stream's own request is asked for in the background. Thread-safe.
 */
final class ForesightTranslator extends ClientNamenodeProtocolTranslatorPB {

    private static final Logger LOG = LoggerFactory.getLogger(ForesightTranslator.class);

    private final ClientNamenodeProtocolPB nameNode;
    private final ClientSettings settings;
    private final HintSender sender;
    private final @Nullable MetadataCache cache;

    /** This connection's part in leases; null where no layouts are kept. */
    private final @Nullable LeaseMember leases;

    private final @Nullable FileWindows windows;
    private final @Nullable LayoutReader reader;
    private final OpenFiles.LayoutSource furtherLayout = this::layoutFrom;
    private final Background background = new Background();
    private final ClientMetrics metrics = ClientMetrics.INSTANCE;

    private ForesightTranslator(
            ClientNamenodeProtocolPB nameNode,
            ClientNamenodeProtocolPB observed,
            ClientSettings settings,
            HintSender sender,
            @Nullable MetadataCache cache,
            @Nullable LeaseMember leases) {
        super(observed);
        this.nameNode = nameNode;
        this.settings = settings;
        this.sender = sender;
        this.cache = cache;
        this.leases = leases;
        this.windows = settings.get(ClientKeys.WINDOW_ENABLED) ? new FileWindows(settings, sender) : null;
        this.reader = settings.get(ClientKeys.REUSE_ENABLED) ? new LayoutReader() : null;
    }

    /**
     * Makes one upon a connection.
     *
     * @param cache shared by the translators to all NameNodes of a nameservice; null to do without
     */
    static ForesightTranslator over(
            ClientNamenodeProtocolPB nameNode,
            InetSocketAddress address,
            ClientSettings settings,
            HintSender sender,
            @Nullable MetadataCache cache) {
        if (cache == null) {
            return new ForesightTranslator(nameNode, nameNode, settings, sender, null, null);
        }
        LeaseMember leases = LeaseHubs.INSTANCE.join(
                address, settings.leaseTerms(), ClientMetrics.INSTANCE, nameNode, settings.isStrict() ? cache : null);
        return new ForesightTranslator(
                nameNode, new ChangeCalls(nameNode, leases, cache).proxy(), settings, sender, cache, leases);
    }

    /** As many blocks are asked for as the caller asks for. */
    @Override
    public @Nullable LocatedBlocks getBlockLocations(String path, long offset, long length) throws IOException {
        switch (LayoutCaller.ofRequest()) {
            case OPEN:
                return offset == 0 && length == settings.layoutRequestBytes()
                        ? layoutToOpen(path)
                        : super.getBlockLocations(path, offset, length);
            case STREAM:
                return layoutOfStream(path, offset, length);
            case LISTING:
                return ServedLayout.listed(path, super.getBlockLocations(path, offset, length));
            default:
                return super.getBlockLocations(path, offset, length);
        }
    }

    private @Nullable LocatedBlocks layoutToOpen(String path) throws IOException {
        LocatedBlocks layout = keptLayout(path);
        if (layout == null) {
            layout = cache != null && !Client.isAsynchronousMode()
                    ? openAtNameNode(path, cache.missed(), cache)
                    : super.getBlockLocations(path, 0, settings.layoutRequestBytes());
        }
        if (layout == null) {
            return null;
        }
        remember(path, 0, layout);
        return layout instanceof ServedLayout ? layout : windowed(path, layout, true);
    }

    /** A stream that begins anew has found the layout that it had to be of no use. */
    private @Nullable LocatedBlocks layoutOfStream(String path, long offset, long length) throws IOException {
        boolean isStreams = length == settings.layoutRequestBytes();
        if (cache != null && offset == 0 && isStreams) {
            cache.stale(path);
        }
        LocatedBlocks layout = super.getBlockLocations(path, offset, length);
        if (layout == null) {
            return null;
        }
        if (offset == 0 && ServedLayout.isRefetching(path)) {
            ServedLayout.refetched(path, layout);
        }
        if (isStreams) {
            remember(path, offset, layout);
        }
        return windowed(path, layout, isStreams);
    }

    private LocatedBlocks windowed(String path, LocatedBlocks layout, boolean opening) {
        if (windows == null) {
            return layout;
        }
        try {
            return windows.windowed(path, layout, opening);
        } catch (RuntimeException | LinkageError e) {
            metrics.internalErrors.incr();
            LOG.debug("{} is read without windows", path, e);
            return layout;
        }
    }

    /** A layout to open the file with, or null. */
    private @Nullable LocatedBlocks keptLayout(String path) {
        if (cache == null || !cache.has(path)) {
            return null;
        }
        try {
            Kept kept = cache.layoutToOpen(path);
            if (kept == null) {
                return null;
            }
            LocatedBlocks known = ServedLayout.upTo(settings.layoutRequestBytes(), read(kept.layout()));
            LocatedBlocks layout = new ServedLayout(path, windowed(path, known, true));
            PendingCall.withdraw();
            if (!kept.others().isEmpty()) {
                guarded(path, () -> warm(kept.others()));
            }
            if (kept.isLookingAhead() && !Client.isAsynchronousMode()) {
                lookAhead(path, cache);
            }
            return layout;
        } catch (RuntimeException | LinkageError e) {
            metrics.internalErrors.incr();
            LOG.debug("The layout of {} is not served", path, e);
            return null;
        }
    }

    /** Opens at the NameNode in the background what was opened without it, to be told what comes next. */
    private void lookAhead(String path, MetadataCache kept) {
        boolean offered = background.offer(() -> guarded(path, () -> {
            try {
                openAtNameNode(path, true, kept);
            } catch (IOException e) {
                LOG.debug("{} is not kept any more", path, e);
                kept.drop(path);
            }
        }));
        if (offered) {
            metrics.metadataAhead.incr();
        }
    }

    /**
     * Opens a file as HDFS does.
     *
     * @param asking whether the NameNode is asked for predictions as well
     */
    private @Nullable LocatedBlocks openAtNameNode(String path, boolean asking, MetadataCache kept) throws IOException {
        long askedAt = kept.position();
        MarkedRequest marked = asking ? marked() : null;
        GetBlockLocationsRequestProto.Builder request = GetBlockLocationsRequestProto.newBuilder()
                .setSrc(path)
                .setOffset(0)
                .setLength(settings.layoutRequestBytes());
        if (asking) {
            request.setUnknownFields(note(path, kept, marked));
        }
        GetBlockLocationsRequestProto sent = request.build();
        GetBlockLocationsResponseProto response;
        try {
            response = nameNode.getBlockLocations(null, sent);
        } catch (ServiceException e) {
            throw failed(path, sent, kept, e);
        }
        if (!response.hasLocations()) {
            return null;
        }
        LocatedBlocks layout = read(response.getLocations());
        NameNodeNoteProto note = Notes.nameNodeNote(response);
        if (settings.isStrict()) {
            takeUnderLease(path, response.getLocations(), note, marked, kept);
            if (settings.isImmutable(path)) {
                guarded(path, () -> kept.keepImmutable(path, response.getLocations(), askedAt));
            }
        } else if (note != null) {
            guarded(path, () -> {
                kept.answered(path, response.getLocations(), note, askedAt);
                warm(kept.take(note, askedAt));
            });
        }
        return layout;
    }

    /** A request that will carry a mark, or null where layouts are kept without a lease. */
    private @Nullable MarkedRequest marked() {
        return leases == null || !settings.isStrict() ? null : leases.sending();
    }

    /** Does what a reply says of the lease, and keeps what the reply grants; a reply that says nothing of a lease grants nothing. */
    private void takeUnderLease(
            String path,
            @Nullable LocatedBlocksProto layout,
            @Nullable NameNodeNoteProto note,
            @Nullable MarkedRequest marked,
            MetadataCache kept) {
        LeaseMember member = leases;
        if (member == null || marked == null || note == null || !note.hasLease()) {
            return;
        }
        try {
            Layouts layouts = kept.layouts(path, note.getLease().getLayoutGranted() ? layout : null, note);
            member.receive(marked, note.getLease(), (mayKeep, grant) -> kept.keep(layouts, mayKeep, grant));
            warm(kept.kept(layouts));
        } catch (RuntimeException | LinkageError e) {
            member.abandon(e);
        }
    }

    /** The note that goes with a request about a path, or nothing if it cannot be made. */
    private UnknownFieldSet note(String path, MetadataCache kept, @Nullable MarkedRequest marked) {
        try {
            ClientNoteProto.Builder note = kept.note();
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

    private LocatedBlocks read(LocatedBlocksProto message) {
        if (reader == null) {
            return PBHelperClient.convert(message);
        }
        try {
            return reader.read(message);
        } catch (RuntimeException | LinkageError e) {
            metrics.internalErrors.incr();
            LOG.debug("A layout is read as HDFS reads it", e);
            return PBHelperClient.convert(message);
        }
    }

    /** A request may have been answered without the answer's arriving, unless the NameNode's own error has arrived. */
    private IOException failed(String path, Message request, MetadataCache kept, ServiceException e) {
        IOException thrown = unwrapped(e);
        if (!(thrown instanceof RemoteException)) {
            guarded(path, () -> {
                ClientNoteProto said = Notes.clientNote(request);
                if (said != null) {
                    kept.unanswered(said);
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

    private void remember(String path, long offset, LocatedBlocks layout) {
        if (!settings.hints()) {
            return;
        }
        try {
            OpenFiles.INSTANCE.located(path, offset, layout, settings, sender, furtherLayout);
        } catch (RuntimeException | LinkageError e) {
            metrics.internalErrors.incr();
            LOG.debug("{} is read without hints", path, e);
        }
    }

    /** Has the first blocks of files that will be opened made resident. */
    private void warm(List<LocatedBlocksProto> predicted) {
        if (settings.get(ClientKeys.DATA_ENABLED) && !predicted.isEmpty()) {
            sender.warm(predicted.stream().map(this::read).collect(Collectors.toList()));
        }
    }

    /** More of a long file's layout, before its stream asks for it. */
    private LocatedBlocks layoutFrom(String path, long offset) throws IOException {
        return super.getBlockLocations(path, offset, settings.hintedLayoutBytes());
    }

    @Override
    public @Nullable HdfsFileStatus getFileInfo(String path) throws IOException {
        if (cache != null && settings.get(ClientKeys.METADATA_STATUS_ENABLED)) {
            HdfsFileStatusProto kept = cache.status(path);
            if (kept != null) {
                HdfsFileStatus status = PBHelperClient.convert(kept);
                PendingCall.withdraw();
                return status;
            }
        }
        return super.getFileInfo(path);
    }

    @Override
    public @Nullable DirectoryListing getListing(String path, byte[] startAfter, boolean needLocation)
            throws IOException {
        if (cache == null || !settings.get(ClientKeys.METADATA_BUNDLE_ENABLED) || Client.isAsynchronousMode()) {
            return super.getListing(path, startAfter, needLocation);
        }
        MetadataCache kept = cache;
        long askedAt = kept.position();
        MarkedRequest marked = marked();
        GetListingRequestProto request = GetListingRequestProto.newBuilder()
                .setSrc(path)
                .setStartAfter(ByteString.copyFrom(startAfter))
                .setNeedLocation(needLocation)
                .setUnknownFields(note(path, kept, marked))
                .build();
        GetListingResponseProto response;
        try {
            response = nameNode.getListing(null, request);
        } catch (ServiceException e) {
            throw failed(path, request, kept, e);
        }
        NameNodeNoteProto note = Notes.nameNodeNote(response);
        if (settings.isStrict()) {
            takeUnderLease(path, null, note, marked, kept);
        } else if (note != null) {
            guarded(path, () -> kept.take(note, askedAt));
        }
        return response.hasDirList() ? PBHelperClient.convert(response.getDirList()) : null;
    }

    /** A client that wants to see what others have done before wants nothing old. */
    @Override
    public void msync() throws IOException {
        if (cache != null) {
            cache.clear();
        }
        super.msync();
    }

    @Override
    public void close() {
        background.close();
        sender.close();
        if (leases == null) {
            super.close();
        } else {
            leases.close(super::close);
        }
    }
}
