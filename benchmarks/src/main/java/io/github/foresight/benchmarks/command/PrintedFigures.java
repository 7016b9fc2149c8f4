/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The figures that another program has printed, each on a line {@code name: number}; an {@code s} for seconds may follow. Immutable.
 *
 * @param program the program's name
 */
record PrintedFigures(String program, String output) {

    /**
     * A figure.
     *
     * @throws IOException if it is not there
     */
    double figure(String name) throws IOException {
        Matcher line = Pattern.compile("(?m)^\\s*" + Pattern.quote(name) + ":\\s*([0-9.]+)s?\\s*$")
                .matcher(output);
        if (!line.find()) {
            throw new IOException(program + " has printed no '" + name + "':\n" + output);
        }
        return Double.parseDouble(line.group(1));
    }
}
