/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

/** How much a finding matters; the worst of all is the exit status. */
enum Severity {
    /** As it should be. */
    FINE("ok", 0),
    /** The daemon starts, but something is likely not as meant. */
    WARNING("warning", 1),
    /** The daemon does not start, or Foresight does not work in it. */
    WRONG("WRONG", 2);

    private final String label;
    private final int exitStatus;

    Severity(String label, int exitStatus) {
        this.label = label;
        this.exitStatus = exitStatus;
    }

    String label() {
        return label;
    }

    int exitStatus() {
        return exitStatus;
    }
}
