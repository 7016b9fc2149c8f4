/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The page {@code /jmx} on which every Hadoop daemon shows its beans. Immutable. */
public final class JmxPage {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int HTTP_TIMEOUT_MILLIS = 5_000;

    private final String address;

    /** The page of a daemon, by the address of its web server. */
    public JmxPage(String host, int httpPort) {
        this.address = "http://" + host + ':' + httpPort + "/jmx";
    }

    /**
     * Reads a bean.
     *
     * @return the bean, or a missing node if the daemon has no bean of that name
     */
    public JsonNode bean(String objectName) throws IOException {
        String query = URLEncoder.encode(objectName, StandardCharsets.UTF_8);
        HttpURLConnection connection = (HttpURLConnection)
                URI.create(address + "?qry=" + query).toURL().openConnection();
        connection.setConnectTimeout(HTTP_TIMEOUT_MILLIS);
        connection.setReadTimeout(HTTP_TIMEOUT_MILLIS);
        try (InputStream in = connection.getInputStream()) {
            return JSON.readTree(in).path("beans").path(0);
        } finally {
            connection.disconnect();
        }
    }
}
