/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import com.sun.tools.attach.VirtualMachine;
import io.github.foresight.cluster.Daemon;
import io.github.foresight.cluster.FreePorts;
import java.nio.file.Path;

/** Prometheus' jmx_exporter in a running daemon. */
final class JmxExporter {

    private JmxExporter() {}

    /** Starts the exporter in a daemon, and returns its port. */
    static int attachTo(Daemon daemon, Path rules) throws Exception {
        int port = FreePorts.pick();
        VirtualMachine machine = VirtualMachine.attach(Long.toString(daemon.pid()));
        try {
            machine.loadAgent(System.getProperty("foresight.jmx.exporter"), "127.0.0.1:" + port + ":" + rules);
        } finally {
            machine.detach();
        }
        return port;
    }
}
