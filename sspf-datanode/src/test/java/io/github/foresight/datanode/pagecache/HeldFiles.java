/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which files this process has open or mapped, as Linux tells. */
public final class HeldFiles {

    private HeldFiles() {}

    /** The open or mapped files below a folder, deleted files included. */
    public static List<String> below(Path folder) throws IOException {
        List<String> held = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            if (line.contains(folder.toString())) {
                held.add(line);
            }
        }
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.collect(Collectors.toList())) {
                if (target(descriptor).startsWith(folder.toString())) {
                    held.add(target(descriptor));
                }
            }
        }
        return held;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "closed meanwhile";
        }
    }
}
