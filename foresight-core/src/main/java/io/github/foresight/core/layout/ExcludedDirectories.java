/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import com.google.common.collect.ImmutableSet;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The directories whose files have no replica node, because an operator excluded them.
 *
 * <p>An excluded directory covers all files below it. A check takes time linear in the depth of a path, and constant
 * time if no directory is excluded. Immutable and thread-safe.
 */
public final class ExcludedDirectories {

    /** The namespace's prefix for paths whose encrypted content is read without decryption. */
    private static final String RAW = "/.reserved/raw";

    private final Set<String> directories;

    /**
     * Makes a set of directories.
     *
     * @param directories absolute paths; only the root has a slash at its end
     */
    public ExcludedDirectories(Collection<String> directories) {
        this.directories = ImmutableSet.copyOf(directories);
    }

    public boolean isEmpty() {
        return directories.isEmpty();
    }

    /** Whether an absolute path is one of the directories, or is in one at any depth; false for null. */
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
