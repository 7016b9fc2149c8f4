/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.install;

/** A configuration file cannot be changed as asked. The message gives the reason and a remedy; it does not name the file. */
final class SiteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SiteException(String message) {
        super(message);
    }
}
