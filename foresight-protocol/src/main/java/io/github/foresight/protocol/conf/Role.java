/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

/** Which kind of process, or part of one, reads a configuration key. */
public enum Role {
    NAMENODE("namenode"),
    DATANODE("datanode"),
    PLACEMENT("placement"),
    CLIENT("client");

    private final String label;

    Role(String label) {
        this.label = label;
    }

    /** The role's name on the command line and in file names, lower case. */
    public String label() {
        return label;
    }
}
