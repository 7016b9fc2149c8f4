/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.fuzz;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls the code under test with damaged messages of one kind. The test fails if an exception leaves the code, or if
 * the code allocates more for a message than a limit. The test itself counts the code's work for a message.
 *
 * <p>A run begins with the samples, continues with the cases that were found before, and ends with damaged samples. The
 * cases are in the resource {@code fuzz/<name>.hex} beside the test, one in each line in hexadecimal; a failure prints
 * such a line. The system property {@code foresight.fuzz.messages} is the number of damaged messages,
 * {@code foresight.fuzz.seed} the seed. In a run with more messages than usual each run has another seed. Each run
 * prints both. Not thread-safe.
 */
public final class Fuzz {

    /** Twelve kinds of messages are fuzzed. With this number a run of all unit tests takes 2.4 x 10^5 messages. */
    private static final int MESSAGES = 20_000;

    /** A fixed seed, because a build must not fail by chance. */
    private static final long SEED = 1;

    /** The first calls load and link classes, so their allocation is not bounded. */
    private static final int WARM_UP = 1000;

    /**
     * A message that seems to allocate too much is measured again, and the least counts. Java 8 charges a thread with the unused part of
     * an allocation buffer now and then.
     */
    private static final int REPEATS = 3;

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final String name;
    private final Class<?> test;
    private final List<byte[]> samples = new ArrayList<>();
    private long allocatedMax = Long.MAX_VALUE;
    private long allocatedMaxPerByte;
    private int messages = Integer.getInteger("foresight.fuzz.messages", MESSAGES);
    private long seed;
    private int taken;
    private long allocatedMost;

    /** Takes one message. */
    @FunctionalInterface
    public interface Target<T> {
        void take(T message) throws Exception;
    }

    /** Code of another project that parses the bytes before the code under test is called. */
    @FunctionalInterface
    public interface Parser<T> {
        /** The message, or null if the parser refuses the bytes. */
        @Nullable
        T parse(byte[] bytes);
    }

    private Fuzz(String name, Class<?> test) {
        this.name = name;
        this.test = test;
    }

    /**
     * Makes a run without samples.
     *
     * @param name of the kind of message, and of the resource with the found cases
     */
    public static Fuzz of(String name, Class<?> test) {
        return new Fuzz(name, test);
    }

    /** Adds a valid message, from which damaged messages are made. */
    @CanIgnoreReturnValue
    public Fuzz sample(byte[] message) {
        samples.add(message.clone());
        return this;
    }

    /**
     * Limits the memory that the code may allocate for a message.
     *
     * @param bytes for any message
     * @param bytesPerByte for each byte of the message, in addition
     */
    @CanIgnoreReturnValue
    public Fuzz allocatingAtMost(long bytes, long bytesPerByte) {
        allocatedMax = bytes;
        allocatedMaxPerByte = bytesPerByte;
        return this;
    }

    /** Sets the number of damaged messages, whatever the system property says. */
    @CanIgnoreReturnValue
    Fuzz messages(int number) {
        messages = number;
        return this;
    }

    /** Runs with all messages. */
    public void into(Target<byte[]> target) {
        into(bytes -> bytes, target);
    }

    /** Runs with the messages that a parser accepts. The parser's allocation is not bounded. */
    public <T> void into(Parser<T> parser, Target<T> target) {
        seed = Long.getLong("foresight.fuzz.seed", messages > MESSAGES ? System.nanoTime() : SEED);
        System.out.printf("fuzz %s: -Dforesight.fuzz.seed=%d -Dforesight.fuzz.messages=%d%n", name, seed, messages);
        MessageMutator mutator = new MessageMutator(seed);
        samples.forEach(sample -> take(parser, target, sample, false));
        for (int i = 0; i < Math.min(WARM_UP, messages); i++) {
            take(parser, target, mutator.next(samples), false);
        }
        samples.forEach(sample -> take(parser, target, sample, true));
        found().forEach(known -> take(parser, target, known, true));
        for (int i = WARM_UP; i < messages; i++) {
            take(parser, target, mutator.next(samples), true);
        }
        System.out.printf(
                "fuzz %s: %d of %d messages reached the code; the most that one allocated was %d bytes%n",
                name, taken, messages, allocatedMost);
    }

    private <T> void take(Parser<T> parser, Target<T> target, byte[] bytes, boolean bounded) {
        T message = parser.parse(bytes.clone());
        if (message == null) {
            return;
        }
        taken++;
        long allocated = allocatedFor(target, message, bytes);
        if (!bounded) {
            return;
        }
        for (int again = 0; again < REPEATS && isTooMuch(allocated, bytes); again++) {
            T same = parser.parse(bytes.clone());
            if (same != null) {
                allocated = Math.min(allocated, allocatedFor(target, same, bytes));
            }
        }
        allocatedMost = Math.max(allocatedMost, allocated);
        if (isTooMuch(allocated, bytes)) {
            throw new AssertionError(name + " (seed " + seed + ") allocates " + allocated + " bytes; accepted is "
                    + allocatedMax + " and " + allocatedMaxPerByte + " a byte of the message's " + bytes.length + ": "
                    + hex(bytes));
        }
    }

    private boolean isTooMuch(long allocated, byte[] bytes) {
        return allocated - allocatedMax > allocatedMaxPerByte * bytes.length;
    }

    private <T> long allocatedFor(Target<T> target, T message, byte[] bytes) {
        long before = allocatedBytes();
        try {
            target.take(message);
        } catch (Exception | AssertionError | LinkageError | OutOfMemoryError | StackOverflowError e) {
            throw new AssertionError(name + " (seed " + seed + ") fails with " + e + " for " + hex(bytes), e);
        }
        return allocatedBytes() - before;
    }

    private static long allocatedBytes() {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    /** The cases that were found before. */
    private List<byte[]> found() {
        List<byte[]> cases = new ArrayList<>();
        try (InputStream in = test.getResourceAsStream("/fuzz/" + name + ".hex")) {
            if (in == null) {
                return cases;
            }
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isEmpty() && line.charAt(0) != '#') {
                    cases.add(bytes(line.trim()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cases;
    }

    static String hex(byte[] bytes) {
        StringBuilder hex = new StringBuilder(2 * bytes.length);
        for (byte b : bytes) {
            hex.append(Character.forDigit((b >> 4) & 0xf, 16)).append(Character.forDigit(b & 0xf, 16));
        }
        return hex.toString();
    }

    static byte[] bytes(String hex) {
        byte[] bytes = new byte[hex.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }
}
