/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import io.github.foresight.client.caller.LayoutCaller;
import io.github.foresight.client.hint.HintSender;
import io.github.foresight.client.hint.OpenFile;
import io.github.foresight.client.hint.OpenFiles;
import io.github.foresight.client.hint.PartedLayout;
import io.github.foresight.client.lease.LeaseHubs;
import io.github.foresight.client.lease.LeaseMember;
import io.github.foresight.client.metadata.CachedOpen;
import io.github.foresight.client.metadata.MetadataCache;
import io.github.foresight.client.metadata.PredictedLayout;
import io.github.foresight.client.metrics.ClientMetrics;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.client.stream.CurrentOpen;
import io.github.foresight.client.stream.ServedLayout;
import io.github.foresight.client.window.FileWindows;
import io.github.foresight.protocol.conf.ClientKeys;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.ipc.Client;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS's translator to the NameNode, with the layouts of files opened for reading cached, asked for before they are needed, and served
 * again.
 *
 * <p>An open that the cache cannot answer goes to the NameNode through {@link NotedCalls}. An open stream that asks for more of its layout
 * is answered by the NameNode, and the answer is remembered for hints. Whoever asks for locations themselves gets the NameNode's answer as
 * it is. {@link LayoutCaller} tells them apart. What hints need beyond the stream's own request is asked for in the background.
 * Thread-safe.
 */
final class ForesightTranslator extends ClientNamenodeProtocolTranslatorPB implements OpenFiles.LayoutSource {

    private static final Logger LOG = LoggerFactory.getLogger(ForesightTranslator.class);

    private final ClientSettings settings;
    private final HintSender sender;
    private final @Nullable MetadataCache cache;

    /** This connection's part in leases; null where no layouts are kept. */
    private final @Nullable LeaseMember leases;

    /** Opens and listings that carry notes; null where no layouts are kept. */
    private final @Nullable NotedCalls noted;

    private final @Nullable FileWindows windows;
    private final @Nullable LayoutReader reader;
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
        this.settings = settings;
        this.sender = sender;
        this.cache = cache;
        this.leases = leases;
        this.noted =
                cache == null || leases == null ? null : new NotedCalls(nameNode, settings, cache, leases, this::warm);
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
        LocatedBlocks preset = CurrentOpen.takePreset();
        if (preset != null) {
            PendingCall.withdraw();
            return preset;
        }
        switch (CurrentOpen.noteRequest() ? LayoutCaller.OPEN : LayoutCaller.ofRequest()) {
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
        if (cache != null) {
            cache.opening(path);
        }
        LocatedBlocks cached = cachedLayout(path);
        LocatedBlocks layout = cached == null ? openAtNameNode(path) : cached;
        if (layout == null) {
            return null;
        }
        if (cached == null) {
            CurrentOpen.located(layout);
        }
        OpenFile file = settings.hints()
                ? guarded(path, () -> OpenFiles.INSTANCE.opened(path, layout, settings, sender, this))
                : null;
        return PartedLayout.of(layout instanceof ServedLayout ? layout : windowed(path, layout, true), file);
    }

    private @Nullable LocatedBlocks openAtNameNode(String path) throws IOException {
        if (cache == null || noted == null || Client.isAsynchronousMode()) {
            return super.getBlockLocations(path, 0, settings.layoutRequestBytes());
        }
        boolean isAsking = cache.missed();
        if (cache.isLeftToHdfs()) {
            return super.getBlockLocations(path, 0, settings.layoutRequestBytes());
        }
        LocatedBlocksProto layout = noted.open(path, isAsking);
        return layout == null ? null : read(layout);
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
        OpenFile file = isStreams && settings.hints()
                ? guarded(path, () -> OpenFiles.INSTANCE.located(path, offset, layout, settings, sender, this))
                : null;
        return PartedLayout.of(windowed(path, layout, isStreams), file);
    }

    private LocatedBlocks windowed(String path, LocatedBlocks layout, boolean opening) {
        if (windows == null) {
            return layout;
        }
        try {
            LocatedBlocks windowed = windows.windowed(path, layout, opening);
            if (FileWindows.serveSequences(windowed)) {
                CurrentOpen.noteWindow();
            }
            return windowed;
        } catch (RuntimeException | LinkageError e) {
            metrics.internalErrors.incr();
            LOG.debug("{} is read without windows", path, e);
            return layout;
        }
    }

    /** A layout to open the file with, or null. */
    private @Nullable LocatedBlocks cachedLayout(String path) {
        if (cache == null || noted == null || !cache.has(path)) {
            return null;
        }
        try {
            CachedOpen open = cache.layoutToOpen(path);
            if (open == null) {
                return null;
            }
            LocatedBlocks known = ServedLayout.upTo(settings.layoutRequestBytes(), read(open.layout()));
            ServedLayout layout = new ServedLayout(path, windowed(path, known, true));
            PendingCall.withdraw();
            if (!open.others().isEmpty()) {
                guarded(path, () -> warm(open.others()));
            }
            if (open.isLookingAhead() && !Client.isAsynchronousMode()) {
                lookAhead(path, noted, cache);
            }
            CurrentOpen.serve(layout);
            CurrentOpen.located(known);
            return layout;
        } catch (RuntimeException | LinkageError e) {
            metrics.internalErrors.incr();
            LOG.debug("The layout of {} is not served", path, e);
            return null;
        }
    }

    /** Opens a file at the NameNode in the background after an open from memory, to get the next prefetch group. */
    private void lookAhead(String path, NotedCalls calls, MetadataCache kept) {
        boolean offered = background.offer(() -> guarded(path, () -> {
            try {
                calls.open(path, true);
            } catch (IOException e) {
                LOG.debug("{} is dropped from the cache", path, e);
                kept.drop(path);
            }
        }));
        if (offered) {
            metrics.groupsAskedAhead.incr();
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

    private void guarded(String path, Runnable action) {
        guarded(path, () -> {
            action.run();
            return null;
        });
    }

    private <T> @Nullable T guarded(String path, Supplier<@Nullable T> action) {
        try {
            return action.get();
        } catch (RuntimeException | LinkageError e) {
            metrics.internalErrors.incr();
            LOG.debug("{} is used as HDFS uses it", path, e);
            return null;
        }
    }

    /** Has the first reads of predicted files made resident. */
    private void warm(List<PredictedLayout> predicted) {
        if (settings.get(ClientKeys.DATA_ENABLED) && !predicted.isEmpty()) {
            sender.warm(predicted.stream()
                    .map(file -> new HintSender.FirstReads(read(file.layout()), settings.footerBytes(file.path())))
                    .collect(Collectors.toList()));
        }
    }

    /** More of a long file's layout, before its stream asks for it. */
    @Override
    public LocatedBlocks layoutFrom(String path, long offset) throws IOException {
        return super.getBlockLocations(path, offset, settings.hintedLayoutBytes());
    }

    /** A status is served from memory under a lease, or is the NameNode's; with the latter comes the layout, where opens follow statuses. */
    @Override
    public @Nullable HdfsFileStatus getFileInfo(String path) throws IOException {
        if (cache == null || noted == null || !settings.servesStatuses()) {
            return super.getFileInfo(path);
        }
        boolean opensFollow = cache.statusAsked(path);
        HdfsFileStatusProto kept = cache.status(path);
        if (kept != null) {
            HdfsFileStatus status = PBHelperClient.convert(kept);
            PendingCall.withdraw();
            return status;
        }
        if (!opensFollow || Client.isAsynchronousMode()) {
            return super.getFileInfo(path);
        }
        GetFileInfoResponseProto response = noted.status(path);
        return response.hasFs() ? PBHelperClient.convert(response.getFs()) : null;
    }

    /** A listing is the NameNode's own, always; the layouts of its files may come with it. */
    @Override
    public @Nullable DirectoryListing getListing(String path, byte[] startAfter, boolean needLocation)
            throws IOException {
        if (noted == null || !settings.get(ClientKeys.METADATA_BUNDLE_ENABLED) || Client.isAsynchronousMode()) {
            return super.getListing(path, startAfter, needLocation);
        }
        GetListingResponseProto response = noted.list(path, startAfter, needLocation);
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
