/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
        List<Daemon> nameNodes = new ArrayList<>();
        List<HostAndPort> dataNodes = new ArrayList<>();
        Map<String, Map<String, InetSocketAddress>> addresses =
                DFSUtilClient.getHaNnWebHdfsAddresses(conf, https ? "swebhdfs" : "webhdfs");
        for (Map<String, InetSocketAddress> nameservice : addresses.values()) {
            for (InetSocketAddress address : nameservice.values()) {
                HostAndPort server = HostAndPort.fromParts(address.getHostString(), address.getPort());
                nameNodes.add(nameNode(server, dataNodes));
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
        return ClusterStatus.ofDaemons(nameNodes, ask(dataNodes));
    }

    /** Asks a NameNode, and adds the DataNodes that it names and that are not in the list. */
    private Daemon nameNode(HostAndPort server, List<HostAndPort> dataNodes) {
        try {
            JsonNode beans = beans(server, "Hadoop:service=NameNode,name=*");
            JsonNode live = mapper.readTree(
                    bean(beans, "name=NameNodeInfo").path("LiveNodes").asText("{}"));
            for (Map.Entry<String, JsonNode> node : live.properties()) {
                HostAndPort web = webServer(node.getKey(), node.getValue());
                if (!dataNodes.contains(web)) {
                    dataNodes.add(web);
                }
            }
            String state = bean(beans, "name=NameNodeStatus").path("State").asText("");
            return Daemon.answered(
                    server.toString(),
                    state,
                    foundOrNull(beans, "name=Foresight"),
                    foundOrNull(beans, "name=ForesightPlacement"));
        } catch (IOException | IllegalArgumentException e) {
            return Daemon.silent(server.toString(), String.valueOf(e.getMessage()));
        }
    }

    /** A certificate is for the host's name, so HTTPS takes the name and not the address. */
    private HostAndPort webServer(String nameAndPort, JsonNode node) {
        HostAndPort plain = HostAndPort.fromString(node.path("infoAddr").asText());
        return https
                ? HostAndPort.fromParts(
                        HostAndPort.fromString(nameAndPort).getHost(),
                        HostAndPort.fromString(node.path("infoSecureAddr").asText())
                                .getPort())
                : plain;
    }

    private List<Daemon> ask(List<HostAndPort> dataNodes) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(
                THREADS, new ThreadFactoryBuilder().setDaemon(true).build());
        try {
            List<Future<Daemon>> asked = new ArrayList<>();
            for (HostAndPort server : dataNodes) {
                asked.add(threads.submit(() -> dataNode(server)));
            }
            List<Daemon> answers = new ArrayList<>();
            for (Future<Daemon> answer : asked) {
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

    private Daemon dataNode(HostAndPort server) {
        try {
            JsonNode beans = beans(server, "Hadoop:service=DataNode,name=Foresight*");
            return Daemon.answered(server.toString(), "", foundOrNull(beans, "name=Foresight"), null);
        } catch (IOException e) {
            return Daemon.silent(server.toString(), String.valueOf(e.getMessage()));
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
