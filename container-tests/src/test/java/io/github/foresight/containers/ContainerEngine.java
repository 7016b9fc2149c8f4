/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.containers;

import java.util.Map;
import java.util.Optional;

/** What {@code bin/foresight test} has made ready for the container tests, as it tells in the environment. */
final class ContainerEngine {

    private static final String IMAGE = "FORESIGHT_CONTAINERS_IMAGE";
    private static final String CLIENT_IMAGE = "FORESIGHT_CONTAINERS_CLIENT_IMAGE";
    private static final String LABEL = "FORESIGHT_CONTAINERS_LABEL";
    private static final String MISSING = "FORESIGHT_CONTAINERS_MISSING";

    private ContainerEngine() {}

    /** Why no container can be run; empty where one can. */
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

    /** By what the engine's cleaner knows everything that the tests make. */
    static Map<String, String> label() {
        String[] nameAndValue = System.getenv(LABEL).split("=", 2);
        return Map.of(nameAndValue[0], nameAndValue[1]);
    }
}
