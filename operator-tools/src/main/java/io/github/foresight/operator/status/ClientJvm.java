/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Set;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Reads the client's metrics in another JVM of this host and user, as {@code jconsole} does. Stateless. */
final class ClientJvm {

    /** Of a JDK; a Java runtime alone has no such class. */
    private static final String ATTACHING = "com.sun.tools.attach.VirtualMachine";

    private static final String CLIENT = "Hadoop:name=ForesightClient,*";

    private ClientJvm() {}

    /**
     * The client's metrics.
     *
     * @throws IOException if the JVM cannot be asked, or shows no metrics of Foresight's client
     */
    @SuppressWarnings("BanJNDI") // the address comes from a JVM of the same user on this host, by its attach file
    static JsonNode metrics(long pid) throws IOException {
        try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(agentOf(pid)))) {
            MBeanServerConnection server = connector.getMBeanServerConnection();
            Set<ObjectName> found = server.queryNames(new ObjectName(CLIENT), null);
            if (found.isEmpty()) {
                throw new IOException(
                        "process " + pid + " shows no metrics of Foresight's client: it does not use the client, or its"
                                + " application has not started Hadoop's metrics system");
            }
            return values(server, found.iterator().next());
        } catch (JMException e) {
            throw new IOException("process " + pid + " cannot be asked: " + e.getMessage(), e);
        }
    }

    private static JsonNode values(MBeanServerConnection server, ObjectName bean) throws IOException, JMException {
        ObjectNode values = new ObjectMapper().createObjectNode();
        MBeanAttributeInfo[] attributes = server.getMBeanInfo(bean).getAttributes();
        String[] names = new String[attributes.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = attributes[i].getName();
        }
        for (Attribute attribute : server.getAttributes(bean, names).asList()) {
            if (attribute.getValue() instanceof Number) {
                values.put(attribute.getName(), ((Number) attribute.getValue()).doubleValue());
            }
        }
        return values;
    }

    /** By reflection, because the class is in another jar on Java 8, and in no runtime without a compiler. */
    private static String agentOf(long pid) throws IOException {
        try {
            Class<?> type = Class.forName(ATTACHING);
            Object machine = type.getMethod("attach", String.class).invoke(null, String.valueOf(pid));
            try {
                return (String) type.getMethod("startLocalManagementAgent").invoke(machine);
            } finally {
                type.getMethod("detach").invoke(machine);
            }
        } catch (ClassNotFoundException e) {
            throw new IOException("--client needs a JDK of version 9 or later; this Java has no " + ATTACHING, e);
        } catch (InvocationTargetException e) {
            throw new IOException(
                    "process " + pid + " cannot be asked: "
                            + e.getTargetException().getMessage(),
                    e);
        } catch (ReflectiveOperationException e) {
            throw new IOException("process " + pid + " cannot be asked", e);
        }
    }
}
