/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.path;

import org.jspecify.annotations.Nullable;

/**
 * The one form in which a path is compared with another: no slash at its end, none doubled, and without {@code /.reserved/raw}, below
 * which the same files stand. The root is an empty text. Stateless.
 */
public final class NamespacePath {

    private static final String RAW = "/.reserved/raw";
    private static final String INODES = "/.reserved/.inodes";

    private NamespacePath() {}

    /** The comparable form of a path. Null for a text that is no absolute path, and for a path that begins with an inode's id. */
    public static @Nullable String of(@Nullable String path) {
        if (path == null || !path.startsWith("/")) {
            return null;
        }
        String plain = withoutSpareSlashes(path);
        if (plain.equals(RAW)) {
            return "";
        }
        if (plain.startsWith(RAW + '/')) {
            plain = plain.substring(RAW.length());
        }
        return isByInode(plain) ? null : plain;
    }

    /** Whether a path begins with an inode's id, so that only the namesystem knows which file it is. */
    public static boolean isByInode(String path) {
        return path.startsWith(INODES + '/') || path.equals(INODES);
    }

    private static String withoutSpareSlashes(String path) {
        if (path.indexOf("//") < 0 && !path.endsWith("/")) {
            return path;
        }
        StringBuilder plain = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            boolean spare = path.charAt(i) == '/' && (i + 1 == path.length() || path.charAt(i + 1) == '/');
            if (!spare) {
                plain.append(path.charAt(i));
            }
        }
        return plain.toString();
    }

    /** The directory that a path is in; the root's is the root. */
    public static String parent(String plain) {
        return plain.substring(0, Math.max(0, plain.lastIndexOf('/')));
    }
}
