/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import io.github.foresight.client.MetadataCache.Kept;
import io.github.foresight.protocol.conf.ClientKeys;
import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.io.IOException;
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
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
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
final class ForesightTranslator extends ChangeObservingTranslator {

    private static final Logger LOG = LoggerFactory.getLogger(ForesightTranslator.class);

    private final ClientNamenodeProtocolPB nameNode;
    private final ClientSettings settings;
    private final HintSender sender;
    private final @Nullable MetadataCache cache;
    private final @Nullable FileWindows windows;
    private final @Nullable LayoutReader reader;
    private final OpenFiles.LayoutSource furtherLayout = this::layoutFrom;
    private final Background background = new Background();
    private final ClientMetrics metrics = ClientMetrics.INSTANCE;

    /**
     * Makes one upon a connection.
     *
     * @param cache shared by the translators to all NameNodes of a nameservice; null to do without
     */
    ForesightTranslator(
            ClientNamenodeProtocolPB nameNode,
            ClientSettings settings,
            HintSender sender,
            @Nullable MetadataCache cache) {
        super(nameNode);
        this.nameNode = nameNode;
        this.settings = settings;
        this.sender = sender;
        this.cache = cache;
        this.windows = settings.get(ClientKeys.WINDOW_ENABLED) ? new FileWindows(settings, sender) : null;
        this.reader = settings.get(ClientKeys.REUSE_ENABLED) ? new LayoutReader() : null;
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
        GetBlockLocationsRequestProto.Builder request = GetBlockLocationsRequestProto.newBuilder()
                .setSrc(path)
                .setOffset(0)
                .setLength(settings.layoutRequestBytes());
        if (asking) {
            request.setUnknownFields(note(path, kept));
        }
        GetBlockLocationsResponseProto response;
        try {
            response = nameNode.getBlockLocations(null, request.build());
        } catch (ServiceException e) {
            throw unwrapped(e);
        }
        if (!response.hasLocations()) {
            return null;
        }
        LocatedBlocks layout = read(response.getLocations());
        NameNodeNoteProto note = Notes.nameNodeNote(response);
        if (note != null) {
            guarded(path, () -> {
                kept.answered(path, response.getLocations(), note, askedAt);
                warm(kept.take(note, askedAt));
            });
        }
        return layout;
    }

    /** The note that goes with a request about a path, or nothing if it cannot be made. */
    private UnknownFieldSet note(String path, MetadataCache kept) {
        try {
            return Notes.fieldsWith(kept.note());
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
        GetListingRequestProto request = GetListingRequestProto.newBuilder()
                .setSrc(path)
                .setStartAfter(ByteString.copyFrom(startAfter))
                .setNeedLocation(needLocation)
                .setUnknownFields(note(path, kept))
                .build();
        GetListingResponseProto response;
        try {
            response = nameNode.getListing(null, request);
        } catch (ServiceException e) {
            throw unwrapped(e);
        }
        NameNodeNoteProto note = Notes.nameNodeNote(response);
        if (note != null) {
            guarded(path, () -> kept.take(note, askedAt));
        }
        return response.hasDirList() ? PBHelperClient.convert(response.getDirList()) : null;
    }

    @Override
    void changed(String... paths) {
        if (cache != null) {
            for (String path : paths) {
                cache.changed(path);
            }
        }
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
        super.close();
    }
}
