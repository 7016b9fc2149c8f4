/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Actions of tests on processes from outside: stopping a process for a while, and taking thread dumps. */
final class DaemonProcesses {

    private DaemonProcesses() {}

    /** An action during the stop of a process. */
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    /** Runs an action between SIGSTOP and SIGCONT. */
    static void whileStopped(Process process, Action action) throws Exception {
        whileStopped(process.pid(), action);
    }

    /** Runs an action between SIGSTOP and SIGCONT of the process with an id. */
    static void whileStopped(long pid, Action action) throws Exception {
        output("kill", "-STOP", String.valueOf(pid));
        try {
            action.run();
        } finally {
            if (ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)) {
                output("kill", "-CONT", String.valueOf(pid));
            }
        }
    }

    /** Returns the NameNode's handler threads that wait in Foresight's code, each as text from a thread dump. */
    static List<String> handlersHeld(Process nameNode) throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        String dump = output(jcmd, String.valueOf(nameNode.pid()), "Thread.print");
        List<String> held = new ArrayList<>();
        for (String thread : dump.split("\n\n", -1)) {
            if (thread.contains("\"IPC Server handler") && waitsInForesight(thread)) {
                held.add(thread);
            }
        }
        return held;
    }

    /** Whether the first stack frame outside the JDK is in Foresight's code. */
    private static boolean waitsInForesight(String thread) {
        return thread.contains("WAITING")
                && thread.lines()
                        .map(String::trim)
                        .filter(line -> line.startsWith("at ") && !line.startsWith("at java.base"))
                        .filter(line -> !line.startsWith("at jdk."))
                        .limit(1)
                        .anyMatch(line -> line.startsWith("at io.github.foresight.")
                                || line.startsWith("at org.apache.hadoop.ipc.DeferredCall"));
    }

    private static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + output);
        }
        return output;
    }
}
