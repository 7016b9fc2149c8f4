/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much memory this process has locked, as the kernel says. */
public final class LockedMemory {

    private static final Pattern LOCKED = Pattern.compile("VmLck:\\s+(\\d+) kB");

    private LockedMemory() {}

    public static long bytes() {
        try {
            Matcher matcher = LOCKED.matcher(Files.readString(Path.of("/proc/self/status")));
            return matcher.find() ? Long.parseLong(matcher.group(1)) << 10 : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
