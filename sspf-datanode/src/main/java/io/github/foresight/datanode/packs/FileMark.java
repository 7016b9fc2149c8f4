/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.packs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * A number that differs between a file and every earlier file of its path. It is made of the file's inode and the time of its last change.
 * Both stay when a file is renamed or linked, as HDFS does with replicas in upgrades and rollbacks.
 */
final class FileMark {

    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private FileMark() {}

    /** The mark of a file, or empty where there is no file; may wait for a disk. */
    static OptionalLong of(Path file) throws IOException {
        try {
            Map<String, Object> attributes = Files.readAttributes(file, "unix:ino,lastModifiedTime");
            FileTime changed = (FileTime) Objects.requireNonNull(attributes.get("lastModifiedTime"));
            Number inode = (Number) Objects.requireNonNull(attributes.get("ino"));
            return OptionalLong.of(inode.longValue() * GOLDEN_RATIO ^ changed.to(TimeUnit.NANOSECONDS));
        } catch (NoSuchFileException e) {
            return OptionalLong.empty();
        }
    }
}
