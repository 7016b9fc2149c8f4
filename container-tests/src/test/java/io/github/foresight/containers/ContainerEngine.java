/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.containers;

import java.util.Map;
import java.util.Optional;

/** The settings that {@code bin/foresight test} prepares for the container tests and passes in the environment. */
final class ContainerEngine {

    private static final String IMAGE = "FORESIGHT_CONTAINERS_IMAGE";
    private static final String CLIENT_IMAGE = "FORESIGHT_CONTAINERS_CLIENT_IMAGE";
    private static final String LABEL = "FORESIGHT_CONTAINERS_LABEL";
    private static final String MISSING = "FORESIGHT_CONTAINERS_MISSING";

    private ContainerEngine() {}

    /** Returns the reason why containers cannot run; empty if they can run. */
    static Optional<String> obstacle() {
        if (System.getenv(IMAGE) != null) {
            return Optional.empty();
        }
        String reason = System.getenv(MISSING);
        return Optional.of(
                reason != null ? reason : "no container engine was made ready: 'bin/foresight test' does that");
    }

    /** The image with the Java runtime of the daemons. */
    static String daemonImage() {
        return System.getenv(IMAGE);
    }

    /** The image with the Java runtime of the client; the daemons' where no other is asked for. */
    static String clientImage() {
        return System.getenv(CLIENT_IMAGE);
    }

    /** Returns the label by which the engine's cleaner recognises everything that the tests make. */
    static Map<String, String> label() {
        String[] nameAndValue = System.getenv(LABEL).split("=", 2);
        return Map.of(nameAndValue[0], nameAndValue[1]);
    }
}
