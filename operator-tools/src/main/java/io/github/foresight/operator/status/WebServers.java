/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Splitter;
import com.google.common.io.ByteStreams;
import com.google.common.net.HostAndPort;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.github.foresight.operator.site.SiteConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.http.HttpConfig;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the web servers of a cluster's daemons for their metrics, as {@code /jmx} gives them, by HTTP or HTTPS and with Kerberos where the
 * configuration says so. The configuration names the NameNodes, and the NameNodes name the live DataNodes. Thread-safe.
 */
final class WebServers {

    /** HDFS names the key only in the daemons' jar. */
    private static final String HTTP_POLICY = "dfs.http.policy";

    private static final int TIMEOUT_MILLIS = 10_000;

    /** DataNodes that are asked at once. */
    private static final int THREADS = 16;

    /** A NameNode names its DataNodes with about 500 bytes each; an answer is read no further than this. */
    private static final long ANSWER_BYTES_MAX = 256 << 20;

    private final HdfsConfiguration conf;
    private final URLConnectionFactory connections;
    private final boolean https;
    private final ObjectMapper mapper = new ObjectMapper();

    private WebServers(HdfsConfiguration conf) {
        this.conf = conf;
        this.https = HttpConfig.Policy.fromString(conf.get(HTTP_POLICY)) == HttpConfig.Policy.HTTPS_ONLY;
        this.connections = URLConnectionFactory.newDefaultURLConnectionFactory(TIMEOUT_MILLIS, TIMEOUT_MILLIS, conf);
    }

    /**
     * The status of a cluster.
     *
     * @param folder with the configuration; null for the class path alone
     * @throws IOException if the configuration names no NameNode, or no NameNode answers
     */
    static ClusterStatus askCluster(@Nullable Path folder) throws IOException {
        HdfsConfiguration configuration = SiteConfiguration.read(folder);
        UserGroupInformation.setConfiguration(configuration);
        WebServers servers = new WebServers(configuration);
        try {
            return servers.ask();
        } finally {
            servers.connections.destroy();
        }
    }

    private ClusterStatus ask() throws IOException {
        List<DaemonAnswer> nameNodes = new ArrayList<>();
        Map<String, JsonNode> live = new LinkedHashMap<>();
        Map<String, Map<String, InetSocketAddress>> addresses =
                DFSUtilClient.getHaNnWebHdfsAddresses(conf, https ? "swebhdfs" : "webhdfs");
        for (Map<String, InetSocketAddress> nameservice : addresses.values()) {
            for (InetSocketAddress address : nameservice.values()) {
                nameNodes.add(nameNode(HostAndPort.fromParts(address.getHostString(), address.getPort()), live));
            }
        }
        if (nameNodes.isEmpty()) {
            throw new IOException(
                    "the configuration names no NameNode; give the folder of the cluster's configuration by --conf");
        }
        if (nameNodes.stream().noneMatch(daemon -> daemon.problem().isEmpty())) {
            throw new IOException("no NameNode answers: " + nameNodes.get(0).name() + ", "
                    + nameNodes.get(0).problem());
        }
        return ClusterStatus.ofDaemons(nameNodes, askDataNodes(live));
    }

    /**
     * Asks a NameNode.
     *
     * @param live receives the DataNodes that the NameNode names as live, by their names and ports
     */
    private DaemonAnswer nameNode(HostAndPort server, Map<String, JsonNode> live) {
        try {
            JsonNode beans = beans(server, "Hadoop:service=NameNode,name=*");
            JsonNode named = mapper.readTree(
                    bean(beans, "name=NameNodeInfo").path("LiveNodes").asText("{}"));
            named.properties().forEach(node -> live.putIfAbsent(node.getKey(), node.getValue()));
            String state = bean(beans, "name=NameNodeStatus").path("State").asText("");
            return DaemonAnswer.answered(
                    server.toString(),
                    state,
                    foundOrNull(beans, "name=Foresight"),
                    foundOrNull(beans, "name=ForesightPlacement"));
        } catch (IOException e) {
            return DaemonAnswer.silent(server.toString(), problem(e));
        }
    }

    /** An answer that is no JSON is shown in part by its error, on lines of their own. */
    private static String problem(IOException e) {
        return Splitter.on('\n')
                .split(String.valueOf(e.getMessage()))
                .iterator()
                .next();
    }

    /**
     * The web server of a DataNode. A certificate is for the host's name, so HTTPS takes the name and not the address.
     *
     * @throws IllegalArgumentException if the address is not in the form of one
     * @throws IllegalStateException if there is none
     */
    private HostAndPort webServer(String nameAndPort, JsonNode node) {
        HostAndPort address = HostAndPort.fromString(
                node.path(https ? "infoSecureAddr" : "infoAddr").asText());
        HostAndPort named = https ? HostAndPort.fromString(nameAndPort) : address;
        return HostAndPort.fromParts(named.getHost(), address.getPort());
    }

    private List<DaemonAnswer> askDataNodes(Map<String, JsonNode> live) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(
                THREADS, new ThreadFactoryBuilder().setDaemon(true).build());
        try {
            List<Future<DaemonAnswer>> asked = new ArrayList<>();
            live.forEach((name, node) -> asked.add(threads.submit(() -> dataNode(name, node))));
            List<DaemonAnswer> answers = new ArrayList<>();
            for (Future<DaemonAnswer> answer : asked) {
                answers.add(answer.get());
            }
            return answers;
        } catch (ExecutionException e) {
            throw new IOException("a DataNode could not be asked", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private DaemonAnswer dataNode(String name, JsonNode node) {
        HostAndPort server;
        try {
            server = webServer(name, node);
        } catch (IllegalArgumentException | IllegalStateException e) {
            return DaemonAnswer.silent(name, "its NameNode reports no address of its web server: " + node);
        }
        try {
            JsonNode beans = beans(server, "Hadoop:service=DataNode,name=Foresight*");
            return DaemonAnswer.answered(server.toString(), "", foundOrNull(beans, "name=Foresight"), null);
        } catch (IOException e) {
            return DaemonAnswer.silent(server.toString(), problem(e));
        }
    }

    private JsonNode beans(HostAndPort server, String query) throws IOException {
        URL url = new URL(https ? "https" : "http", server.getHost(), server.getPort(), "/jmx?qry=" + query);
        URLConnection connection;
        try {
            connection = connections.openConnection(url, UserGroupInformation.isSecurityEnabled());
        } catch (AuthenticationException e) {
            throw new IOException(url + " does not let this user in", e);
        }
        if (connection instanceof HttpURLConnection) {
            int status = ((HttpURLConnection) connection).getResponseCode();
            if (status != HttpURLConnection.HTTP_OK) {
                throw new IOException(url + " answers with status " + status);
            }
        }
        try (InputStream answer = ByteStreams.limit(connection.getInputStream(), ANSWER_BYTES_MAX)) {
            return mapper.readTree(answer).path("beans");
        }
    }

    private JsonNode bean(JsonNode beans, String name) {
        JsonNode found = foundOrNull(beans, name);
        return found == null ? mapper.createObjectNode() : found;
    }

    private static @Nullable JsonNode foundOrNull(JsonNode beans, String name) {
        for (JsonNode bean : beans) {
            if (bean.path("name").asText().endsWith(',' + name)) {
                return bean;
            }
        }
        return null;
    }
}
