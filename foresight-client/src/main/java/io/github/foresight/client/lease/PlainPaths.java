/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.lease;

import java.util.ArrayList;
import java.util.List;

/**
 * Paths in the one form in which leases know them: absolute, no slash doubled or at the end, nothing below {@code /.reserved}. A layout is
 * kept only under such a path. Linear in the path's length; stateless.
 */
public final class PlainPaths {

    private static final String ROOT = "/";
    private static final String RESERVED = "/.reserved";
    private static final String RAW = RESERVED + "/raw";

    private PlainPaths() {}

    /** Whether a path is in plain form. */
    public static boolean isPlain(String path) {
        return path.length() > 1
                && path.charAt(0) == '/'
                && path.charAt(path.length() - 1) != '/'
                && !path.contains("//")
                && !hasDots(path)
                && !isBelow(RESERVED, path);
    }

    /** Whether a path is another or lies below it. */
    public static boolean isBelow(String ancestor, String path) {
        return path.startsWith(ancestor)
                && (ancestor.equals(ROOT)
                        || path.length() == ancestor.length()
                        || path.charAt(ancestor.length()) == '/');
    }

    private static boolean hasDots(String path) {
        return path.contains("/./") || path.contains("/../") || path.endsWith("/.") || path.endsWith("/..");
    }

    /** What changes of paths change, in plain form; the root where it is not known. */
    public static List<String> changed(List<String> paths) {
        List<String> plain = new ArrayList<>(paths.size());
        for (String path : paths) {
            plain.add(isPlain(path) ? path : changed(path));
        }
        return plain;
    }

    private static String changed(String path) {
        if (!path.startsWith(ROOT)) {
            return ROOT;
        }
        String single = path.replaceAll("/+", "/");
        String ended = single.endsWith(ROOT) ? single.substring(0, single.length() - 1) : single;
        String named = isBelow(RAW, ended) ? ended.substring(RAW.length()) : ended;
        return isPlain(named) ? named : ROOT;
    }
}
