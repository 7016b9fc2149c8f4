/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

/**
 * Decides whether a path is at or below another path. Paths are absolute, and only the root has a slash at its end.
 * Stateless.
 */
final class Subtree {

    /** Each path is at or below the root. */
    static final String ROOT = "/";

    private Subtree() {}

    /** Whether a change of {@code changed} can change the file at {@code path}. */
    static boolean covers(String changed, String path) {
        if (changed.equals(ROOT)) {
            return true;
        }
        return path.startsWith(changed) && (path.length() == changed.length() || path.charAt(changed.length()) == '/');
    }

    /** The directory of {@code path}; for the root, the root. */
    static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? ROOT : path.substring(0, slash);
    }
}
