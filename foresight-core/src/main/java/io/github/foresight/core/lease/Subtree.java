/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

/** Tells whether a path is at or below another. Paths are absolute and have no slash at their end, but for the root. */
final class Subtree {

    /** Every path is at or below the root. */
    static final String ROOT = "/";

    private Subtree() {}

    /** Whether a change of {@code changed} can change the file at {@code path}. */
    static boolean covers(String changed, String path) {
        if (changed.equals(ROOT)) {
            return true;
        }
        return path.startsWith(changed) && (path.length() == changed.length() || path.charAt(changed.length()) == '/');
    }

    /** The path of the directory that holds {@code path}; the root's own is the root. */
    static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? ROOT : path.substring(0, slash);
    }
}
