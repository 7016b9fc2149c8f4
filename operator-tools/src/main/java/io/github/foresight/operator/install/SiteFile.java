/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.install;

import com.google.common.collect.ImmutableMap;
import io.github.foresight.protocol.conf.HadoopXml;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Hadoop configuration file that is replaced as a whole. The old file is kept as a copy beside it, and the new one gets its owner and rights. A
 * symbolic link stays one. Not thread-safe.
 */
final class SiteFile {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);
    private static final Pattern ENCODING = Pattern.compile("^<\\?xml[^>]*encoding=[\"']([^\"']+)[\"']");
    private static final String EMPTY = "<?xml version=\"1.0\"?>\n<configuration>\n</configuration>\n";

    private final Path named;
    private final Path file;

    /** A file that may not be there yet; its folder must be. */
    SiteFile(Path named) throws IOException {
        this.named = named;
        this.file = Files.exists(named) ? named.toRealPath() : named;
    }

    /**
     * The text of the file, or an empty configuration if there is no file.
     *
     * @throws IOException if it cannot be read, or is not in UTF-8
     */
    SiteText text() throws IOException {
        if (!Files.exists(file)) {
            return new SiteText(EMPTY);
        }
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IOException(named + " is not in UTF-8; change it by hand, as in docs/install.md", e);
        }
        Matcher encoding = ENCODING.matcher(text);
        if (encoding.find() && !encoding.group(1).toLowerCase(Locale.ROOT).matches("utf-8|us-ascii|ascii")) {
            throw new IOException(named + " has the encoding " + encoding.group(1)
                    + ", accepted is UTF-8; change it by hand, as in docs/install.md");
        }
        return new SiteText(text);
    }

    /** The properties that Hadoop reads in the file and in the files that it includes. */
    Map<String, String> properties() throws IOException {
        return Files.exists(file) ? HadoopXml.read(file) : ImmutableMap.of();
    }

    /**
     * Checks that Hadoop would read the expected properties in a new text of this file. Writes nothing.
     *
     * @throws IOException if it would read anything else
     */
    void check(SiteText text, Map<String, String> expected) throws IOException {
        IOException cause = null;
        try {
            if (HadoopXml.read(file, text.toString()).equals(expected)) {
                return;
            }
        } catch (IOException e) {
            cause = e;
        }
        throw new IOException(
                named
                        + " is written in a way that this command cannot change; change it by hand, as in docs/install.md",
                cause);
    }

    /**
     * Replaces the file.
     *
     * @return the copy of the old file, or null if there was no file
     * @throws IOException if it cannot be written; the file is as before then
     */
    @Nullable
    Path replace(SiteText text) throws IOException {
        Path next = Files.createTempFile(file.toAbsolutePath().getParent(), "." + file.getFileName(), ".new");
        try {
            write(next, text.toString());
            Path copy = null;
            if (Files.exists(file)) {
                keepOwnerAndRights(next);
                copy = copyName();
                Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
            } else {
                Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-r--r--"));
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            return copy;
        } finally {
            Files.deleteIfExists(next);
        }
    }

    private static void write(Path to, String text) throws IOException {
        try (FileChannel out = FileChannel.open(to, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
    }

    /** Gives a new file the rights of the present one, and its owner and group where they differ. */
    private void keepOwnerAndRights(Path next) throws IOException {
        PosixFileAttributes present = Files.readAttributes(file, PosixFileAttributes.class);
        PosixFileAttributeView view = Files.getFileAttributeView(next, PosixFileAttributeView.class);
        PosixFileAttributes own = view.readAttributes();
        if (!own.owner().equals(present.owner())) {
            view.setOwner(present.owner());
        }
        if (!own.group().equals(present.group())) {
            view.setGroup(present.group());
        }
        view.setPermissions(present.permissions());
    }

    private Path copyName() {
        String base = file.getFileName() + ".foresight-"
                + ZonedDateTime.now(ZoneId.systemDefault()).format(TIME);
        Path copy = file.resolveSibling(base);
        for (int i = 2; Files.exists(copy); i++) {
            copy = file.resolveSibling(base + "-" + i);
        }
        return copy;
    }
}
