/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import java.util.Arrays;

/**
 * A small table of numbers in the order of their addition, with lookup in constant expected time. The table is emptied
 * in constant time and allocates nothing after construction. Not thread-safe.
 */
final class NumberTable {

    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private final long[] numbers;

    /**
     * The hash table. An entry holds the number's index in its low bits, and above them the generation in which the
     * entry was made.
     */
    private final int[] places;

    private final int indexBits;
    private final int hashShift;
    private int size;
    private int generation = 1;

    /**
     * Makes an empty table.
     *
     * @param capacity the most numbers in the table, 1 to 65535
     */
    NumberTable(int capacity) {
        this.indexBits = Integer.SIZE - Integer.numberOfLeadingZeros(capacity);
        this.numbers = new long[capacity];
        this.places = new int[2 << indexBits];
        this.hashShift = Long.SIZE - indexBits - 1;
    }

    int size() {
        return size;
    }

    long number(int index) {
        return numbers[index];
    }

    /** The index of a number, or {@link #size()} if the table does not hold it. */
    int indexOf(long number) {
        for (int place = firstPlace(number); ; place = (place + 1) & (places.length - 1)) {
            int entry = places[place];
            if (entry >>> indexBits != generation) {
                return size;
            }
            int index = entry & ((1 << indexBits) - 1);
            if (numbers[index] == number) {
                return index;
            }
        }
    }

    /** Adds a number that the table does not hold; there must be room. */
    void add(long number) {
        int place = firstPlace(number);
        while (places[place] >>> indexBits == generation) {
            place = (place + 1) & (places.length - 1);
        }
        places[place] = generation << indexBits | size;
        numbers[size] = number;
        size++;
    }

    private int firstPlace(long number) {
        return (int) ((number * SPREAD) >>> hashShift);
    }

    void clear() {
        size = 0;
        generation++;
        if (generation >>> (Integer.SIZE - indexBits) != 0) {
            Arrays.fill(places, 0);
            generation = 1;
        }
    }
}
