/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import io.github.foresight.core.lease.RegisterHistory;
import io.github.foresight.it.HistoryLog.Kind;
import io.github.foresight.it.HistoryLog.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/**
 * The operations of the clients of {@link ConsistencyHistoryIT}, and the check whether stock HDFS could have produced them.
 *
 * <ul>
 *   <li>The opens and changes of each file are linearizable ({@link RegisterHistory}). A change that ended with an exception may have been carried
 *       out or not. A file not found is no observation, and neither is a file under construction.
 *   <li>A change by WebHDFS is carried out before its recall. Therefore opens that overlap such a change are left out.
 *   <li>No open shows a file in a directory that was away from before the open until after the open.
 *   <li>Content is the content of the version that the open showed.
 * </ul>
 *
 * <p>A killed NameNode may have shown a change that was not yet in its edits. Stock HDFS has the same gap. The time is too short to be met in
 * practice.
 */
final class OperationHistory {

    /** The largest number of contradictions that are described in detail. */
    private static final int DESCRIBED_MAX = 4;

    private static final int LINES_MAX = 40;
    private static final long SURROUNDINGS_NANOS = 50_000_000;

    /** Facts about the cluster for the checker. */
    record Conditions(String webClient, List<Interval> failovers, long webLateNanos) {}

    /** An interval of time in nanoseconds. */
    record Interval(long begin, long end) {
        boolean overlaps(long otherBegin, long otherEnd) {
            return begin <= otherEnd && otherBegin <= end;
        }

        long overlapNanos(Interval other) {
            return Math.max(0, Math.min(end, other.end) - Math.max(begin, other.begin));
        }
    }

    private final List<Operation> operations = new ArrayList<>();
    private final Map<String, List<Operation>> byPath = new TreeMap<>();
    private final Map<Long, Operation> writeOfVersion = new HashMap<>();
    private final Map<Long, Long> checksums = new HashMap<>();
    private final Conditions conditions;
    private final List<String> contradictions = new ArrayList<>();
    private long checkedOpens;

    OperationHistory(List<Path> logs, Conditions conditions) throws IOException {
        this.conditions = conditions;
        for (Path log : logs) {
            operations.addAll(HistoryLog.read(log));
        }
        operations.sort(Comparator.comparingLong(Operation::invoked));
        for (Operation operation : operations) {
            byPath.computeIfAbsent(operation.path(), unused -> new ArrayList<>())
                    .add(operation);
            if (operation.kind().isWrite() && operation.value() > 0) {
                writeOfVersion.put(operation.value(), operation);
            }
        }
    }

    List<Operation> operations() {
        return operations;
    }

    long count(Predicate<Operation> predicate) {
        return operations.stream().filter(predicate).count();
    }

    /** Returns the number of checked opens. */
    long checkedOpens() {
        return checkedOpens;
    }

    /** Returns the number of operations by kind and outcome, as text. */
    String outcomes() {
        return operations.stream()
                .collect(Collectors.groupingBy(
                        operation -> operation.kind() + " " + operation.outcome(), TreeMap::new, Collectors.counting()))
                .toString();
    }

    /** Returns the contradictions to stock HDFS, with the operations around them; empty if there are none. */
    List<String> contradictions() {
        contradictions.clear();
        checkedOpens = 0;
        Map<String, List<Interval>> absences = new HashMap<>();
        byPath.forEach((path, all) -> {
            if (all.get(0).kind() == Kind.DIRECTORY_AWAY || all.get(0).kind() == Kind.DIRECTORY_BACK) {
                absences.put(path, absences(all));
            }
        });
        byPath.forEach((path, all) -> {
            if (!absences.containsKey(path)) {
                checkFile(path, all, absences.getOrDefault(path.substring(0, path.lastIndexOf('/')), List.of()));
            }
        });
        return contradictions;
    }

    private void found(String what, String path, Predicate<Operation> shown) {
        if (contradictions.size() < DESCRIBED_MAX) {
            contradictions.add(what + " at " + path + "\n"
                    + byPath.get(path).stream()
                            .filter(shown)
                            .limit(LINES_MAX)
                            .map(Operation::toString)
                            .collect(Collectors.joining("\n")));
        } else {
            contradictions.add(what + " at " + path);
        }
    }

    private void checkFile(String path, List<Operation> all, List<Interval> absences) {
        List<Interval> byWeb = all.stream()
                .filter(operation -> operation.client().startsWith(conditions.webClient())
                        && operation.kind().isWrite())
                .filter(operation -> !failedAtOnce(operation))
                .map(operation -> new Interval(operation.invoked(), endOfWebChange(operation)))
                .toList();
        RegisterHistory history = new RegisterHistory(Long.MIN_VALUE);
        Set<Long> written = new HashSet<>();
        boolean mayBePartial = false;
        for (Operation operation : all) {
            if (operation.kind().isWrite() && operation.value() != 0) {
                history.write(
                        operation.value(),
                        operation.invoked(),
                        operation.isDone() ? operation.responded() : RegisterHistory.unanswered());
                written.add(operation.value());
                mayBePartial |= !operation.isDone() && writesInPlace(operation);
            }
        }
        for (Operation operation : all) {
            if (!operation.isDone() || operation.value() == 0) {
                continue;
            }
            if (operation.kind() == Kind.CONTENT) {
                checkContent(operation);
            } else if (operation.kind() == Kind.OPEN) {
                boolean isUncertain =
                        byWeb.stream().anyMatch(change -> change.overlaps(operation.invoked(), operation.responded()));
                // A writer that died may have left a part of its bytes. HDFS recovers the file to this part.
                boolean isPartial = mayBePartial && !written.contains(operation.value());
                if (!isUncertain && !isPartial) {
                    checkedOpens++;
                    history.read(operation.value(), operation.invoked(), operation.responded());
                    checkPresence(operation, absences);
                }
            }
        }
        String contradiction = history.contradiction();
        if (contradiction != null) {
            Set<Long> values = new HashSet<>();
            long from = Long.MAX_VALUE;
            long to = Long.MIN_VALUE;
            Matcher zones = Pattern.compile("value (-?\\d+)(?: \\w+ (-?\\d+) to (-?\\d+))?")
                    .matcher(contradiction);
            while (zones.find()) {
                values.add(Long.parseLong(zones.group(1)));
                from = Math.min(from, Long.parseLong(zones.group(2)));
                to = Math.max(to, Long.parseLong(zones.group(3)));
            }
            long first = from - SURROUNDINGS_NANOS;
            long last = to + SURROUNDINGS_NANOS;
            found(
                    contradiction,
                    path,
                    operation -> (values.contains(operation.value()) && operation.kind() != Kind.CONTENT)
                            || (operation.kind().isWrite()
                                    && operation.invoked() < last
                                    && operation.responded() > first));
        }
    }

    private static boolean writesInPlace(Operation operation) {
        return operation.kind() == Kind.CREATE || operation.kind() == Kind.APPEND;
    }

    /** Whether an operation failed without a change, and without a retry before the answer. */
    private boolean failedAtOnce(Operation operation) {
        return operation.outcome().equals("FileNotFoundException")
                && conditions.failovers().stream()
                        .noneMatch(failover -> failover.overlaps(operation.invoked(), operation.responded()));
    }

    private long endOfWebChange(Operation operation) {
        if (operation.isDone()) {
            return operation.responded();
        }
        return operation.responded() == HistoryLog.NEVER
                ? HistoryLog.NEVER
                : operation.responded() + conditions.webLateNanos();
    }

    private void checkPresence(Operation open, List<Interval> absences) {
        for (Interval absence : absences) {
            if (absence.begin() < open.invoked() && open.responded() < absence.end()) {
                found(
                        "the directory was away from " + absence.begin() + " to " + absence.end(),
                        open.path(),
                        open::equals);
            }
        }
    }

    /** Returns the intervals in which a directory was certainly away. After an operation with an unknown outcome, no interval is certain any more. */
    private static List<Interval> absences(List<Operation> all) {
        List<Interval> absences = new ArrayList<>();
        Set<String> uncertain = new HashSet<>();
        Operation away = null;
        for (Operation operation : all) {
            if (!operation.isDone() && !operation.outcome().equals("FileNotFoundException")) {
                uncertain.add(operation.client());
            }
            if (away != null
                    && operation.kind() == Kind.DIRECTORY_BACK
                    && operation.client().equals(away.client())) {
                absences.add(new Interval(away.responded(), operation.invoked()));
            }
            boolean isAway = operation.kind() == Kind.DIRECTORY_AWAY && operation.isDone() && uncertain.isEmpty();
            away = isAway ? operation : null;
        }
        return absences;
    }

    private void checkContent(Operation content) {
        Long expected = checksum(content.value());
        if (expected == null || expected != content.checksum()) {
            found(
                    "the content is not that of version " + content.value(),
                    content.path(),
                    operation -> operation.value() == content.value());
        }
    }

    private Long checksum(long version) {
        return checksums.computeIfAbsent(version, unused -> {
            // A version consists of the versions that it was appended to, one after the other.
            List<byte[]> parts = new ArrayList<>();
            long part = version;
            while (part != 0) {
                Operation write = writeOfVersion.get(part);
                if (write == null) {
                    return null;
                }
                parts.add(0, HistoryWorkload.fill(part, write.base(), part));
                part = write.base();
            }
            CRC32 crc = new CRC32();
            parts.forEach(crc::update);
            return crc.getValue();
        });
    }
}
