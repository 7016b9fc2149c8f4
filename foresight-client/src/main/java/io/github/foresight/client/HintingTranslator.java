/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS's translator to the NameNode, with the layouts of files opened for reading remembered.
 *
 * <p>A stream asks for exactly {@code dfs.client.read.prefetch.size} bytes of layout, at open and when it comes to the end of
 * what it knows; nobody else does. Such a call asks the NameNode for as many blocks as are hinted at once, in the same round
 * trip. Thread-safe.
 */
final class HintingTranslator extends ClientNamenodeProtocolTranslatorPB {

    private static final Logger LOG = LoggerFactory.getLogger(HintingTranslator.class);

    private final ClientSettings settings;
    private final HintSender sender;

    HintingTranslator(ClientNamenodeProtocolPB proxy, ClientSettings settings, HintSender sender) {
        super(proxy);
        this.settings = settings;
        this.sender = sender;
    }

    @Override
    public LocatedBlocks getBlockLocations(String path, long offset, long length) throws IOException {
        if (length != settings.layoutRequestBytes()) {
            return super.getBlockLocations(path, offset, length);
        }
        LocatedBlocks layout = super.getBlockLocations(path, offset, Math.max(length, settings.hintedLayoutBytes()));
        try {
            OpenFiles.INSTANCE.located(path, offset, layout, settings, sender, this::layoutFrom);
        } catch (RuntimeException | LinkageError e) {
            sender.metrics().internalErrors.incr();
            LOG.debug("The layout of {} is not hinted", path, e);
        }
        return layout;
    }

    /** More of a long file's layout, before its stream asks for it. */
    private LocatedBlocks layoutFrom(String path, long offset) throws IOException {
        return super.getBlockLocations(path, offset, settings.hintedLayoutBytes());
    }

    @Override
    public void close() {
        sender.close();
        super.close();
    }
}
