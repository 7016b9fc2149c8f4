/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

/** Checks the audit logger of a NameNode. Not thread-safe. */
final class NameNodeCheck {

    private static final String PLUGINS_KEY = "dfs.namenode.plugins";
    private static final String FORESIGHT_PLUGIN = "io.github.foresight.namenode.ForesightPlugin";
    private static final String AUDIT_LOGGERS = "dfs.namenode.audit.loggers";
    private static final String FORESIGHT_AUDIT_LOGGER = "io.github.foresight.namenode.ChangeAuditLogger";

    private final NodeConfiguration configuration;
    private final Findings findings;

    NameNodeCheck(NodeConfiguration configuration, Findings findings) {
        this.configuration = configuration;
        this.findings = findings;
    }

    /** Whether the configuration names the plugin of Foresight. */
    boolean isInstalled() {
        return configuration.uses(PLUGINS_KEY, FORESIGHT_PLUGIN);
    }

    void run() {
        if (configuration.uses(PLUGINS_KEY, FORESIGHT_PLUGIN)
                && !configuration.uses(AUDIT_LOGGERS, FORESIGHT_AUDIT_LOGGER)) {
            String others = configuration.list(AUDIT_LOGGERS).isEmpty()
                    ? "default"
                    : String.join(",", configuration.list(AUDIT_LOGGERS));
            findings.warning(
                    AUDIT_LOGGERS,
                    FORESIGHT_PLUGIN + " is named but not " + FORESIGHT_AUDIT_LOGGER
                            + ": changes by WebHDFS recall no layouts, so clients get no leases.",
                    "give " + others + "," + FORESIGHT_AUDIT_LOGGER + ".");
        }
    }
}
