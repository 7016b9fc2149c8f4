/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code foresight disable}: takes the properties out. The jar stays, for the running process has it open. */
@Command(
        name = "disable",
        description =
                "Removes one role's properties from Hadoop's configuration file on this node, also those that were pasted by"
                        + " hand. Restarts nothing. A second run changes nothing. The earlier file stays beside the new one as a copy.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class DisableCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private SiteOptions site = new SiteOptions();

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        site.plan(RoleBlock::disabled).apply(site.isDryRun(), out);
        if (site.role() == InstalledRole.NAMENODE) {
            out.println("Before the restart: switch leases off, as docs/operate.md says.");
        }
        out.println("Next: restart the process, then remove " + site.role().jar() + " from its class path.");
        out.flush();
        return 0;
    }
}
