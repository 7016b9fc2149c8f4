/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What must not be left behind when the JVM is ended by a signal. It is cleaned up one after the other, what came last first: processes
 * before the disks that they write to, and these before the directory that holds them. Thread-safe.
 */
public final class AtExit {

    private static final AtExit OF_JVM = new AtExit();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(OF_JVM::cleanUp, "clean-up at exit"));
    }

    /** Cleans up one thing; more than once, if it must be, and in any thread. */
    @FunctionalInterface
    public interface CleanUp {
        void run() throws IOException;
    }

    @GuardedBy("this")
    private final Deque<CleanUp> pending = new ArrayDeque<>();

    @GuardedBy("this")
    private boolean ending;

    AtExit() {}

    /** The one that is run when this JVM ends. */
    public static AtExit ofJvm() {
        return OF_JVM;
    }

    /**
     * Has something cleaned up if the JVM ends before it is {@linkplain #remove removed}.
     *
     * @throws IOException if the JVM is ending already
     */
    public synchronized void add(CleanUp cleanUp) throws IOException {
        if (ending) {
            throw new IOException("nothing is started any more: the program is ending");
        }
        pending.push(cleanUp);
    }

    /** Forgets what has been cleaned up, or is not to be. */
    public synchronized void remove(CleanUp cleanUp) {
        pending.remove(cleanUp);
    }

    /** Cleans up all there is; what fails is told to standard error, and the rest is still cleaned up. */
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
