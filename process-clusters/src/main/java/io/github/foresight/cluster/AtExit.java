/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Clean-ups for the end of the JVM, also by a signal. They run one after another, the last added first: processes end before their disks are
 * removed, and disks before their directory. Thread-safe.
 */
public final class AtExit {

    private static final AtExit OF_JVM = new AtExit();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(OF_JVM::cleanUp, "clean-up at exit"));
    }

    /** A clean-up; it may run more than once, and in any thread. */
    @FunctionalInterface
    public interface CleanUp {
        void run() throws IOException;
    }

    @GuardedBy("this")
    private final Deque<CleanUp> pending = new ArrayDeque<>();

    @GuardedBy("this")
    private boolean ending;

    AtExit() {}

    /** The clean-ups of this JVM. */
    public static AtExit ofJvm() {
        return OF_JVM;
    }

    /**
     * Adds a clean-up, which runs when the JVM ends unless it is {@linkplain #remove removed} first.
     *
     * @throws IOException if the JVM is ending
     */
    public synchronized void add(CleanUp cleanUp) throws IOException {
        if (ending) {
            throw new IOException("nothing is started any more: the program is ending");
        }
        pending.push(cleanUp);
    }

    /** Removes a clean-up. */
    public synchronized void remove(CleanUp cleanUp) {
        pending.remove(cleanUp);
    }

    /** Runs all clean-ups. Prints the failure of one to standard error, and goes on with the others. */
    void cleanUp() {
        for (CleanUp next = next(); next != null; next = next()) {
            try {
                next.run();
            } catch (IOException | RuntimeException e) {
                System.err.println("Not cleaned up: " + e.getMessage());
            }
        }
    }

    private synchronized @Nullable CleanUp next() {
        ending = true;
        return pending.poll();
    }
}
