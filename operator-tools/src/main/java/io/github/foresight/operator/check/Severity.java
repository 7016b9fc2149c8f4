/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

/** The severity of a finding; the worst of all findings is the exit status. */
enum Severity {
    /** The subject is right. */
    FINE("ok", 0),
    /** The daemon starts, but a setting is probably a mistake. */
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
