/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * A client in a separate JVM. The client opens the file that each line of its standard input names, and prints the first byte on a line. The client
 * ends at the end of its input.
 */
public final class LayoutHolder {

    /** The beginning of each line that this class prints. */
    static final String OPENED = "OPENED ";

    /** The output for a file that does not exist. */
    static final String MISSING = "missing";

    private LayoutHolder() {}

    /** Runs the client. */
    public static void main(String[] none) throws IOException {
        try (FileSystem fs = FileSystem.newInstance(new HdfsConfiguration());
                BufferedReader paths = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String path = paths.readLine(); path != null; path = paths.readLine()) {
                System.out.println(OPENED + path + " " + firstByte(fs, path));
            }
        }
    }

    private static String firstByte(FileSystem fs, String path) throws IOException {
        try (InputStream in = fs.open(new Path(path))) {
            return String.valueOf(in.read());
        } catch (FileNotFoundException e) {
            return MISSING;
        }
    }
}
