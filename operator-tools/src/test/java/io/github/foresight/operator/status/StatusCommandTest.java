/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The status of daemons that a web server of the test plays, and of a JVM that the test starts. */
final class StatusCommandTest {

    private static final String NAMENODE_WELL =
            "'Running': 1, 'Opens': 1000, 'Hits': 3000, 'Returned': 200, 'Used': 150, 'Wasted': 10, 'InternalErrors': 0";
    private static final String DATANODE_WELL =
            "'Enabled': 1, 'Hints': 7, 'PrefetchedBytes': 104857600, 'UsedBytes': 52428800, 'InternalErrors': 0";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** The answers, by the name of the bean's service. */
    private final Map<String, String> answers = new HashMap<>();

    private HttpServer server;

    @TempDir
    private Path conf;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/jmx", exchange -> {
            String service = exchange.getRequestURI().getQuery().contains("service=NameNode") ? "NameNode" : "DataNode";
            byte[] answer = answers.getOrDefault(service, "{'beans': []}")
                    .replace('\'', '"')
                    .replace("~", "\\\"")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(answer);
            }
        });
        server.start();
        site("core-site.xml", "fs.defaultFS", "hdfs://localhost:1");
        site("hdfs-site.xml", "dfs.namenode.http-address", address());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private void site(String file, String key, String value) throws IOException {
        Files.write(
                conf.resolve(file),
                ("<configuration><property><name>" + key + "</name><value>" + value
                                + "</value></property></configuration>")
                        .getBytes(StandardCharsets.UTF_8));
    }

    private void nameNode(String foresight) {
        answers.put(
                "NameNode",
                "{'beans': [{'name': 'Hadoop:service=NameNode,name=NameNodeInfo', 'LiveNodes':"
                        + " '{~dn1:9866~: {~infoAddr~: ~" + address() + "~}}'},"
                        + "{'name': 'Hadoop:service=NameNode,name=NameNodeStatus', 'State': 'active'}"
                        + foresight + "]}");
    }

    private static String bean(String service, String metrics) {
        return "{'name': 'Hadoop:service=" + service + ",name=Foresight', " + metrics + "}";
    }

    private int run(String... arguments) {
        return new CommandLine(new StatusCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    command.getErr().println(e.getMessage());
                    return command.getCommandSpec().exitCodeOnExecutionException();
                })
                .execute(arguments);
    }

    @Test
    void clusterWithForesight_isWell() {
        nameNode("," + bean("NameNode", NAMENODE_WELL));
        answers.put("DataNode", "{'beans': [" + bean("DataNode", DATANODE_WELL) + "]}");

        assertThat(run("--conf", conf.toString())).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("NameNode " + address() + " (active): works")
                .contains("1,000 at the NameNode, 3,000 from clients' memory (75 %)")
                .contains("200 files granted, 150 used (75 %), 10 wasted")
                .contains("DataNodes with Foresight: 1; 100 MiB prefetched, 50 MiB used (50 %)")
                .contains("  " + address() + ": works; 7 hints");
    }

    @Test
    void stockDataNode_isNamed() {
        nameNode("," + bean("NameNode", NAMENODE_WELL));

        assertThat(run("--conf", conf.toString())).isOne();
        assertThat(out.toString()).contains("  " + address() + ": without Foresight");
    }

    @Test
    void failuresAndSwitchedOff_areNamed() {
        nameNode("," + bean("NameNode", NAMENODE_WELL.replace("'InternalErrors': 0", "'InternalErrors': 1234")));
        answers.put(
                "DataNode",
                "{'beans': [" + bean("DataNode", DATANODE_WELL.replace("'Enabled': 1", "'Enabled': 0")) + "]}");

        assertThat(run("--conf", conf.toString())).isOne();
        assertThat(out.toString()).contains("(active): works, 1,234 failures").contains(address() + ": is off");
    }

    @Test
    void placementThatIsOff_isNamed() {
        nameNode(
                "," + bean("NameNode", NAMENODE_WELL)
                        + ",{'name': 'Hadoop:service=NameNode,name=ForesightPlacement', 'Running': 0, 'Placed': 5, 'AlreadyOnReplicaNode': 2}");
        answers.put("DataNode", "{'beans': [" + bean("DataNode", DATANODE_WELL) + "]}");

        assertThat(run("--conf", conf.toString())).isOne();
        assertThat(out.toString()).contains("placement   is off; 7 blocks placed with a replica");
    }

    @Test
    void dataNodeWithoutAWebServer_isNamed_andTheOthersAreAsked() {
        nameNode("," + bean("NameNode", NAMENODE_WELL));
        answers.compute("NameNode", (service, answer) -> answer.replace("'{~dn1", "'{~dn0:9866~: {}, ~dn1"));
        answers.put("DataNode", "{'beans': [" + bean("DataNode", DATANODE_WELL) + "]}");

        assertThat(run("--conf", conf.toString())).isOne();
        assertThat(out.toString())
                .contains("  dn0:9866: does not answer, its NameNode reports no address")
                .contains("  " + address() + ": works");
    }

    @Test
    void json_holdsAllMetrics() throws IOException {
        nameNode("," + bean("NameNode", NAMENODE_WELL));

        assertThat(run("--json", "--conf", conf.toString())).isOne();
        JsonNode root = new ObjectMapper().readTree(out.toString());
        assertThat(root.path("well").asBoolean(true)).isFalse();
        assertThat(root.at("/nameNodes/0/foresight/Hits").asInt()).isEqualTo(3000);
        assertThat(root.at("/dataNodes/0/name").asText()).isEqualTo(address());
    }

    @Test
    void nameNodeThatDoesNotAnswer_isAnError() {
        server.stop(0);

        assertThat(run("--conf", conf.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("no NameNode answers: " + address());
    }

    @Test
    void answerThatIsNoJson_isAnError() {
        answers.put("NameNode", "<html>not here</html>");

        assertThat(run("--conf", conf.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("no NameNode answers").hasLineCount(1);
    }

    @Test
    void folderWithoutConfiguration_isAnErrorThatNamesTheFile() {
        assertThat(run("--conf", conf.resolve("absent").toString())).isEqualTo(2);
        assertThat(err.toString()).contains("absent").contains("core-site.xml");
    }

    /** The client's metrics of one JVM. */
    public interface ClientMXBean {
        long getMetadataHits();

        long getMetadataMisses();
    }

    /** A JVM with the client's metrics, until its standard input ends. */
    static final class ClientMain implements ClientMXBean {

        public static void main(String[] args) throws Exception {
            if (args.length == 0) {
                ManagementFactory.getPlatformMBeanServer()
                        .registerMBean(new ClientMain(), new ObjectName("Hadoop:service=test,name=ForesightClient"));
            }
            System.out.println("ready");
            while (System.in.read() >= 0) {
                // Until the test ends.
            }
        }

        @Override
        public long getMetadataHits() {
            return 30;
        }

        @Override
        public long getMetadataMisses() {
            return 10;
        }
    }

    private int runOnClient(String... arguments) throws IOException, InterruptedException {
        assumeTrue(isJdk(), "this Java cannot look into other JVMs");
        ProcessBuilder builder = new ProcessBuilder(
                        Paths.get(System.getProperty("java.home"), "bin", "java")
                                .toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        ClientMain.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.command().addAll(Arrays.asList(arguments));
        Process client = builder.start();
        try {
            assertThat(client.getInputStream().read()).isEqualTo('r');
            return run("--client", String.valueOf(client.pid()));
        } finally {
            client.destroy();
            client.waitFor();
        }
    }

    private static boolean isJdk() {
        try {
            Class.forName("com.sun.tools.attach.VirtualMachine");
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @Test
    void clientsJvm_isAsked() throws IOException, InterruptedException {
        assertThat(runOnClient()).as(err.toString()).isZero();
        assertThat(out.toString()).contains("10 at the NameNode, 30 from memory (75 %)");
    }

    @Test
    void jvmWithoutTheClient_isAnError() throws IOException, InterruptedException {
        assertThat(runOnClient("without")).isEqualTo(2);
        assertThat(err.toString()).contains("shows no metrics of Foresight's client");
    }
}
