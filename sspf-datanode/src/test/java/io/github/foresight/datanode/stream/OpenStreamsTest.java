/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.StreamEvents;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenStreamsTest {

    private static final int BLOCKS = 500;

    @TempDir
    private Path directory;

    private FileInputStream stock;

    /** No stream of this test reads. */
    private final StreamListener nobody = new StreamListener() {
        @Override
        public void bytesSent(ObservedBlockInputStream stream, long position, long bytes) {
            throw new AssertionError("nothing was read");
        }

        @Override
        public boolean isLoaded(BlockKey key, long position) {
            return false;
        }

        @Override
        public void demandSeen(ObservedBlockInputStream stream) {
            throw new AssertionError("nothing was read");
        }

        @Override
        public void closed(ObservedBlockInputStream stream, StreamEvents followed) {
            // The end of the test closes their descriptor, and so all of them.
        }
    };

    private final OpenStreams streams = new OpenStreams();

    @BeforeEach
    void begin() throws IOException {
        stock = new FileInputStream(Files.createFile(directory.resolve("block")).toFile());
    }

    @AfterEach
    void end() throws IOException {
        stock.close();
    }

    private static BlockKey key(long id) {
        return new BlockKey("BP-1", id);
    }

    private ObservedBlockInputStream stream(long id) throws IOException {
        return new ObservedBlockInputStream(stock, nobody, id, key(id), 1, 0, "a thread");
    }

    private List<ObservedBlockInputStream> of(long id) {
        List<ObservedBlockInputStream> found = new ArrayList<>();
        streams.forEach(key(id), found::add);
        return found;
    }

    @Test
    void forEach_givesABlocksOpenStreamsAndNoOthers() throws IOException {
        List<ObservedBlockInputStream> opened = new ArrayList<>();
        for (long id = 0; id < BLOCKS; id++) {
            for (int i = 0; i < 2; i++) {
                ObservedBlockInputStream stream = stream(id);
                streams.opened(stream);
                opened.add(stream);
            }
        }
        for (int id = 0; id < BLOCKS; id++) {
            assertThat(of(id)).containsExactlyInAnyOrder(opened.get(2 * id), opened.get(2 * id + 1));
        }
        for (int id = 0; id < BLOCKS; id++) {
            streams.closed(opened.get(2 * id));
            assertThat(of(id)).containsExactly(opened.get(2 * id + 1));
        }
        assertThat(of(BLOCKS)).isEmpty();
    }
}
