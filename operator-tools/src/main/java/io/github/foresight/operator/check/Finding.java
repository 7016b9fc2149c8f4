/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import java.util.Objects;

/** One thing that the check has looked at; immutable. */
final class Finding {

    private final Severity severity;
    private final String subject;
    private final String message;
    private final String remedy;

    private Finding(Severity severity, String subject, String message, String remedy) {
        this.severity = severity;
        this.subject = Objects.requireNonNull(subject);
        this.message = Objects.requireNonNull(message);
        this.remedy = Objects.requireNonNull(remedy);
    }

    static Finding fine(String subject, String message) {
        return new Finding(Severity.FINE, subject, message, "");
    }

    static Finding warning(String subject, String message, String remedy) {
        return new Finding(Severity.WARNING, subject, message, remedy);
    }

    static Finding wrong(String subject, String message, String remedy) {
        return new Finding(Severity.WRONG, subject, message, remedy);
    }

    Severity severity() {
        return severity;
    }

    /** The subject of the check: a configuration key, a file, or a word such as {@code java}. */
    String subject() {
        return subject;
    }

    /** The finding, in a sentence. */
    String message() {
        return message;
    }

    /** What to do about it, in a sentence; empty if all is fine. */
    String remedy() {
        return remedy;
    }

    @Override
    public String toString() {
        return String.format("  %-8s %s: %s", severity.label(), subject, message)
                + (remedy.isEmpty() ? "" : " Mend: " + remedy);
    }
}
