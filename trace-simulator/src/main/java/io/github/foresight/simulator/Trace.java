/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Accesses in the order of their times; files and clients have numbers from 1 on, in the order of their first accesses. Not thread-safe. */
final class Trace {

    private static final int FIRST_CAPACITY = 1 << 16;

    private final Map<String, Integer> fileNumbers = new HashMap<>();
    private final Map<String, Integer> clientNumbers = new HashMap<>();
    private int[] files = new int[FIRST_CAPACITY];
    private int[] clients = new int[FIRST_CAPACITY];
    private long[] micros = new long[FIRST_CAPACITY];
    private int size;

    void add(long timeMicros, String client, String path) {
        if (size == files.length) {
            files = Arrays.copyOf(files, 2 * size);
            clients = Arrays.copyOf(clients, 2 * size);
            micros = Arrays.copyOf(micros, 2 * size);
        }
        files[size] = number(fileNumbers, path);
        clients[size] = number(clientNumbers, client);
        micros[size] = timeMicros;
        size++;
    }

    private static int number(Map<String, Integer> numbers, String name) {
        return numbers.computeIfAbsent(name, unused -> numbers.size() + 1);
    }

    int size() {
        return size;
    }

    int fileCount() {
        return fileNumbers.size();
    }

    int clientCount() {
        return clientNumbers.size();
    }

    int file(int index) {
        return files[index];
    }

    int client(int index) {
        return clients[index];
    }

    long micros(int index) {
        return micros[index];
    }
}
