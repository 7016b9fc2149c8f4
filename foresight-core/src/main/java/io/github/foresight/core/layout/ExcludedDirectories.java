/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import com.google.common.collect.ImmutableSet;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The directories whose files have no replica node, because an operator excluded them.
 *
 * <p>A file belongs to each directory above it. Linear in the depth of a path, and free where no directory is excluded. Immutable and thread-safe.
 */
public final class ExcludedDirectories {

    /** The namespace's own name for a path whose encrypted content is read as it is. */
    private static final String RAW = "/.reserved/raw";

    private final Set<String> directories;

    /**
     * Excludes some directories.
     *
     * @param directories absolute paths without a slash at the end, but for the root
     */
    public ExcludedDirectories(Collection<String> directories) {
        this.directories = ImmutableSet.copyOf(directories);
    }

    public boolean isEmpty() {
        return directories.isEmpty();
    }

    /** Whether an absolute path is one of the directories, or lies in one at any depth; false where there is no path. */
    public boolean contains(@Nullable String path) {
        if (path == null || directories.isEmpty()) {
            return false;
        }
        String ancestor = path.startsWith(RAW + "/") ? path.substring(RAW.length()) : path;
        while (ancestor.length() > 1) {
            if (directories.contains(ancestor)) {
                return true;
            }
            ancestor = ancestor.substring(0, Math.max(0, ancestor.lastIndexOf('/')));
        }
        return directories.contains("/");
    }
}
