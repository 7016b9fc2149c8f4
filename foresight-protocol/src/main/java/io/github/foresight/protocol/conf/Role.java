/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

/** The kind of process, or of a part of a process, that reads a configuration key. */
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
