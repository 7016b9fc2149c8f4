/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.foresight.client.ReadObserver;
import io.github.foresight.client.metrics.ClientMetrics;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.hint.DataWaits;
import io.github.foresight.core.hint.DiskReaders;
import io.github.foresight.core.hint.ReadIntent;
import io.github.foresight.protocol.conf.ClientKeys;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of this JVM whose layout is known. Here the block reads of a stream meet the layout of its file.
 *
 * <p>One for the JVM, for HDFS makes its {@link ReadObserver}s without telling them whose they are. Bounded by {@link
 * ClientKeys#FILES_MAX} of the first client; the least recently used goes first, and then merely reads without hints.
 * Thread-safe.
 */
public final class OpenFiles {

    /** The open files of this JVM. */
    public static final OpenFiles INSTANCE = new OpenFiles();

    private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);

    /** Asks the NameNode for more of a layout. */
    @FunctionalInterface
    public interface LayoutSource {
        LocatedBlocks layoutFrom(String path, long offset) throws IOException;
    }

    private static final class Name {
        final String path;
        final String blockPool;

        Name(String path, String blockPool) {
            this.path = path;
            this.blockPool = blockPool;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Name && ((Name) o).path.equals(path) && ((Name) o).blockPool.equals(blockPool);
        }

        @Override
        public int hashCode() {
            return Objects.hash(path, blockPool);
        }
    }

    /** What applications say of the files that they are opening right now, by path. */
    private final ConcurrentMap<String, ReadIntent> intents = new ConcurrentHashMap<>();

    /** Null until the first hinted file. Until then no action on a file is made, so a process without one does not load their classes. */
    private volatile @Nullable Cache<Name, OpenFile> files;

    private final DataWaits waits = new DataWaits();
    private final DiskReaders readers = new DiskReaders();

    private OpenFiles() {}

    /** Whether this JVM waits for the data of small files, of whichever cluster. */
    public DataWaits waits() {
        return waits;
    }

    /** The files that this JVM reads with hints, of whichever cluster. */
    DiskReaders readers() {
        return readers;
    }

    /**
     * An application opens a file; until the opening ends, the open of that path is taken to be its. Where several open the same path at
     * the same time, the last one's word holds for all of them: hints are a matter of speed alone.
     */
    public Opening opening(String path, ReadIntent intent) {
        intents.put(path, intent);
        return new Opening(path, intent);
    }

    /** An open that is under way. */
    public final class Opening {
        private final String path;
        private final ReadIntent intent;

        private Opening(String path, ReadIntent intent) {
            this.path = path;
            this.intent = intent;
        }

        /** The open has ended. */
        public void end() {
            intents.remove(path, intent);
        }
    }

    /**
     * A file was opened, with this layout. While the file is hinted, the hinted replicas come first in it.
     *
     * @return the file, or null where it is not hinted
     */
    @Nullable
    public OpenFile opened(
            String path, LocatedBlocks layout, ClientSettings settings, HintSender sender, LayoutSource source) {
        OpenFile file = located(path, 0, layout, settings, sender, source);
        if (file != null) {
            file.opened(intents.getOrDefault(path, ReadIntent.NONE));
        }
        return file;
    }

    /**
     * The NameNode has answered a stream's question for a file's layout. While the file is hinted, the hinted replicas come first
     * in it.
     *
     * @return the file, or null where it is not hinted
     */
    @Nullable
    public OpenFile located(
            String path,
            long offset,
            LocatedBlocks layout,
            ClientSettings settings,
            HintSender sender,
            LayoutSource source) {
        if (layout == null || layout.getLocatedBlocks().isEmpty()) {
            return null;
        }
        boolean begins = offset == 0 && OpenFile.isWorthHinting(layout, settings);
        if (!begins && files == null) {
            return null;
        }
        LocatedBlock first = layout.get(0);
        Name name = new Name(path, first.getBlock().getBlockPoolId());
        Cache<Name, OpenFile> known = files(settings);
        OpenFile file = known.getIfPresent(name);
        if (file != null && file.belongsTo(sender) && file.merge(layout)) {
            return file;
        }
        if (begins) {
            OpenFile begun = new OpenFile(path, layout, settings, sender, source, readers);
            known.put(name, begun);
            return begun;
        }
        if (file != null) {
            known.invalidate(name);
        }
        return null;
    }

    /** An application's stream reads the file from now on. No effect if the file is not hinted; never fails. */
    public void streamOpened(String path, String blockPool, OpenStream stream) {
        if (files != null) {
            guarded(path, blockPool, file -> file.streamOpened(stream));
        }
    }

    /** The stream is closed. Never fails. */
    public void streamClosed(String path, String blockPool, OpenStream stream) {
        if (files != null) {
            guarded(path, blockPool, file -> file.streamClosed(stream));
        }
    }

    /** A stream has turned to a block and will read it up to {@code endInBlock}. */
    public void recordBlockRead(String path, String blockPool, long blockId, long endInBlock, String clientName) {
        if (files != null) {
            long thread = Thread.currentThread().getId();
            guarded(path, blockPool, file -> file.recordBlockRead(blockId, endInBlock, clientName, thread));
        }
    }

    /**
     * The reads by position of a stream go on from front to back, and have come to the byte at {@code offset}.
     *
     * @param number tells the stream from others of the same client
     * @param reach the offset that the reads will soon come to
     * @return the end of the block there, from which on the next call is wanted; {@link Long#MAX_VALUE} if the file is not hinted
     */
    long sequenceRead(String path, String blockPool, String clientName, long number, long offset, long reach) {
        AtomicLong end = new AtomicLong(Long.MAX_VALUE);
        guarded(path, blockPool, file -> end.set(file.sequenceRead(clientName, number, offset, reach)));
        return end.get();
    }

    /** The stream's reads by position go on no longer. */
    void sequenceEnded(String path, String blockPool, String clientName, long number) {
        guarded(path, blockPool, file -> file.sequenceEnded(clientName, number));
    }

    /** Hands a file to an action, if it is known. A failure of ours is never a failure of the application's stream. */
    private void guarded(String path, String blockPool, Consumer<OpenFile> action) {
        Cache<Name, OpenFile> known = files;
        if (known == null) {
            return;
        }
        try {
            OpenFile file = known.getIfPresent(new Name(path, blockPool));
            if (file != null) {
                action.accept(file);
            }
        } catch (RuntimeException | LinkageError e) {
            ClientMetrics.INSTANCE.internalErrors.incr();
            LOG.debug("{} is read without hints", path, e);
        }
    }

    private Cache<Name, OpenFile> files(ClientSettings settings) {
        Cache<Name, OpenFile> known = files;
        return known == null ? begun(settings) : known;
    }

    private synchronized Cache<Name, OpenFile> begun(ClientSettings settings) {
        Cache<Name, OpenFile> known = files;
        if (known == null) {
            known = Caffeine.newBuilder()
                    .maximumSize(settings.get(ClientKeys.FILES_MAX))
                    .executor(Runnable::run)
                    .build();
            files = known;
        }
        return known;
    }
}
