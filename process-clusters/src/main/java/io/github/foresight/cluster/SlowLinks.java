/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Slow network links on one machine: limits what TCP servers send over the loopback device, with the kernel's hierarchical token buckets. Bytes
 * that they receive have no limit. Needs root and iproute2's {@code tc}. Several JVMs may have slow links of different ports: a lock file lets one
 * of them at a time change the device. Not thread-safe.
 */
public final class SlowLinks implements Closeable {

    private static final String DEVICE = "lo";
    private static final String HANDLE = "f0:";
    private static final Path LOCK = Path.of("/run/foresight-slow-links.lock");

    /** At least a packet of the loopback device, which has 64 KiB. */
    private static final int BURST_BYTES = 256 << 10;

    private static final int BITS_OF_BYTE = 8;

    /** The ports of each link. The first one names the link to the kernel. */
    private final List<List<Integer>> links = new ArrayList<>();

    private final AtExit.CleanUp closer = this::removeAll;

    private SlowLinks() {}

    /**
     * Prepares the loopback device.
     *
     * @throws IOException with the reason, if this user or this kernel cannot limit it
     */
    public static SlowLinks open() throws IOException {
        SlowLinks opened = new SlowLinks();
        alone(SlowLinks::prepare);
        AtExit.ofJvm().add(opened.closer);
        return opened;
    }

    /** Another JVM's last link may have taken the buckets away since. */
    private static void prepare() throws IOException {
        if (!isPrepared()) {
            tc("qdisc", "add", "dev", DEVICE, "root", "handle", HANDLE, "htb");
        }
    }

    /** Runs a change of the device while no other JVM, and no other thread of this one, changes it. */
    private static synchronized void alone(AtExit.CleanUp change) throws IOException {
        try (FileChannel file = FileChannel.open(LOCK, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            FileLock unused = file.lock();
            change.run();
        }
    }

    private static boolean isPrepared() throws IOException {
        return tc("qdisc", "show", "dev", DEVICE).contains("htb " + HANDLE + " root");
    }

    /**
     * Has servers share one link.
     *
     * @param ports of the servers, at least one, none of which has a link yet
     * @param bytesPerSecond that they send together, above 0
     * @throws IOException if that fails; then the link may have a limit until it is {@linkplain #free freed}
     */
    public void limit(List<Integer> ports, long bytesPerSecond) throws IOException {
        links.add(List.copyOf(ports));
        alone(() -> add(ports, bytesPerSecond));
    }

    private static void add(List<Integer> ports, long bytesPerSecond) throws IOException {
        prepare();
        String link = name(ports);
        tc(
                "class",
                "add",
                "dev",
                DEVICE,
                "parent",
                HANDLE,
                "classid",
                link,
                "htb",
                "rate",
                bytesPerSecond * BITS_OF_BYTE + "bit",
                "burst",
                String.valueOf(BURST_BYTES),
                "cburst",
                String.valueOf(BURST_BYTES),
                "quantum",
                String.valueOf(BURST_BYTES));
        for (int port : ports) {
            tc(
                    "filter",
                    "add",
                    "dev",
                    DEVICE,
                    "parent",
                    HANDLE,
                    "pref",
                    String.valueOf(port),
                    "protocol",
                    "ip",
                    "u32",
                    "match",
                    "ip",
                    "protocol",
                    "6",
                    "0xff",
                    "match",
                    "ip",
                    "sport",
                    String.valueOf(port),
                    "0xffff",
                    "flowid",
                    link);
        }
    }

    /** The bytes that the servers of a link have sent; -1 without such a link. */
    public long sentBytes(List<Integer> ports) throws IOException {
        return sentBytes(tc("-s", "class", "show", "dev", DEVICE), name(ports));
    }

    /** The bytes of a class in {@code tc -s class show}; -1 without such a class. */
    static long sentBytes(String statistics, String link) {
        boolean isLink = false;
        for (String line : statistics.split("\n", -1)) {
            String words = line.trim();
            if (words.startsWith("class ")) {
                isLink = words.startsWith("class htb " + link + " ");
            } else if (isLink && words.startsWith("Sent ")) {
                return Long.parseLong(words.split(" ", 3)[1]);
            }
        }
        return -1;
    }

    /** Takes the limit of a link away. Nothing happens without such a link. */
    public void free(List<Integer> ports) throws IOException {
        if (links.remove(List.copyOf(ports))) {
            alone(() -> remove(ports));
        }
    }

    /** Removes a link, or what there is of it after a failure. */
    private static void remove(List<Integer> ports) throws IOException {
        for (int port : ports) {
            run("filter", "del", "dev", DEVICE, "parent", HANDLE, "pref", String.valueOf(port));
        }
        if (sentBytes(tc("-s", "class", "show", "dev", DEVICE), name(ports)) >= 0) {
            tc("class", "del", "dev", DEVICE, "classid", name(ports));
        }
    }

    private static String name(List<Integer> ports) {
        return HANDLE + String.format(Locale.ROOT, "%x", ports.get(0));
    }

    /** Takes all limits away, and leaves the device as it was if no other JVM has a slow link. */
    @Override
    public void close() throws IOException {
        AtExit.ofJvm().remove(closer);
        removeAll();
    }

    private void removeAll() throws IOException {
        alone(this::removeLinks);
    }

    private void removeLinks() throws IOException {
        for (List<Integer> ports : links) {
            remove(ports);
        }
        links.clear();
        if (tc("class", "show", "dev", DEVICE).isBlank() && isPrepared()) {
            tc("qdisc", "del", "dev", DEVICE, "root");
        }
    }

    /** The output of a command. */
    private static String tc(String... arguments) throws IOException {
        Result result = run(arguments);
        if (result.status != 0) {
            throw new IOException("tc " + String.join(" ", arguments) + " failed: " + result.output.trim());
        }
        return result.output;
    }

    /** The output of a command, and its status. */
    private static final class Result {
        private final int status;
        private final String output;

        Result(int status, String output) {
            this.status = status;
            this.output = output;
        }
    }

    private static Result run(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("tc"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            return new Result(process.waitFor(), output);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted in " + String.join(" ", command), e);
        }
    }
}
