/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.memory;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The memory limits of a process's control groups, as in cgroups(7).
 *
 * <pre>
 *   /proc/self/cgroup      0::/system.slice/datanode.service           the group, relative to the root of its hierarchy
 *   /proc/self/mountinfo   ... / /sys/fs/cgroup ... - cgroup2 ...      the mount of the hierarchy or of a part of it
 *   /sys/fs/cgroup/system.slice/datanode.service/memory.max            the group's limit
 *   /sys/fs/cgroup/system.slice/memory.max                             an ancestor's limit, which counts too
 * </pre>
 *
 * <p>Both versions of control groups are read, because both may be mounted. {@code memory.high} counts as a limit, too.
 * Above it the kernel slows the process down until pages are freed, and locked pages are never freed. Stateless.
 */
final class ControlGroups {

    /**
     * The most levels of nested groups that are read; groups are not nested deeper in practice. Chosen, not measured.
     */
    private static final int DEPTH_MAX = 64;

    private static final List<String> FILES_V2 = ImmutableList.of("memory.max", "memory.high");
    private static final List<String> FILES_V1 = ImmutableList.of("memory.limit_in_bytes");

    private ControlGroups() {}

    /** The smallest limit of the process's groups and their ancestors; {@code Long.MAX_VALUE} without a limit. */
    static long memoryLimitBytes(UnaryOperator<String> files) {
        String mounts = files.apply("/proc/self/mountinfo");
        long limit = Long.MAX_VALUE;
        for (String line : files.apply("/proc/self/cgroup").split("\n")) {
            // hierarchy:controllers:path
            String[] fields = line.split(":", 3);
            if (fields.length != 3) {
                continue;
            }
            boolean second = fields[0].equals("0") && fields[1].isEmpty();
            if (second || Arrays.asList(fields[1].split(",")).contains("memory")) {
                limit = Math.min(limit, limitOf(fields[2], second, mounts, files));
            }
        }
        return limit;
    }

    private static long limitOf(String group, boolean second, String mounts, UnaryOperator<String> files) {
        long limit = Long.MAX_VALUE;
        for (String line : mounts.split("\n")) {
            Mount mount = Mount.parse(line);
            if (mount == null || !mount.isOf(second)) {
                continue;
            }
            for (String folder : mount.foldersOf(group)) {
                for (String file : second ? FILES_V2 : FILES_V1) {
                    limit = Math.min(
                            limit, bytes(files.apply(folder + "/" + file).trim()));
                }
            }
        }
        return limit;
    }

    /**
     * A limit in bytes, as the kernel writes it; {@code Long.MAX_VALUE} for "max", "unlimited" and other text that is
     * no number.
     */
    static long bytes(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : Long.MAX_VALUE;
    }

    /** A line of {@code mountinfo}: one mount with its folder. */
    private static final class Mount {
        private final String root;
        private final String folder;
        private final String type;
        private final String options;

        private Mount(String root, String folder, String type, String options) {
            this.root = root;
            this.folder = folder;
            this.type = type;
            this.options = options;
        }

        static @Nullable Mount parse(String line) {
            int separator = line.indexOf(" - ");
            if (separator < 0) {
                return null;
            }
            String[] before = line.substring(0, separator).split(" ");
            String[] after = line.substring(separator + 3).split(" ");
            return before.length < 5 || after.length < 3 ? null : new Mount(before[3], before[4], after[0], after[2]);
        }

        boolean isOf(boolean second) {
            return second
                    ? type.equals("cgroup2")
                    : type.equals("cgroup") && Arrays.asList(options.split(",")).contains("memory");
        }

        /** The folders of a group and of its ancestors, as far as they are mounted here, the root first. */
        List<String> foldersOf(String group) {
            List<String> folders = new ArrayList<>();
            folders.add(folder);
            String below = group;
            if (!root.equals("/")) {
                // A container sees a part of the hierarchy. The group's path counts from the hierarchy's own root.
                below = group.equals(root) || group.startsWith(root + "/") ? group.substring(root.length()) : "";
            }
            StringBuilder path = new StringBuilder(folder);
            for (String name : below.split("/")) {
                if (name.isEmpty() || name.equals("..")) {
                    continue;
                }
                if (folders.size() > DEPTH_MAX) {
                    break;
                }
                folders.add(path.append('/').append(name).toString());
            }
            return folders;
        }
    }
}
