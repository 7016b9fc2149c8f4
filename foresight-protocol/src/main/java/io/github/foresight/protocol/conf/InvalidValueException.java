/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

/** A configured value that its key does not accept. The message names the key, the value and the accepted values. */
public final class InvalidValueException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    InvalidValueException(String key, String value, String accepted) {
        super(key + " is '" + value + "'; accepted is " + accepted);
    }
}
