/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Reads and writes Hadoop's configuration files without Hadoop on the class path. */
final class HadoopXml {

    private HadoopXml() {}

    static Map<String, String> read(Path file) throws IOException {
        Map<String, String> properties = new LinkedHashMap<>();
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            NodeList nodes = factory.newDocumentBuilder().parse(file.toFile()).getElementsByTagName("property");
            for (int i = 0; i < nodes.getLength(); i++) {
                Element property = (Element) nodes.item(i);
                properties.put(text(property, "name", file), text(property, "value", file));
            }
            return properties;
        } catch (SAXException | ParserConfigurationException e) {
            throw new IOException(file + " is not a Hadoop configuration file: " + e.getMessage(), e);
        }
    }

    static void write(Path file, Map<String, String> properties) throws IOException {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
        properties.forEach((name, value) -> xml.append("  <property><name>")
                .append(escape(name))
                .append("</name><value>")
                .append(escape(value))
                .append("</value></property>\n"));
        Files.writeString(file, xml.append("</configuration>\n"));
    }

    private static String text(Element property, String tag, Path file) throws IOException {
        NodeList found = property.getElementsByTagName(tag);
        if (found.getLength() != 1) {
            throw new IOException(file + " has a property with " + found.getLength() + " <" + tag + "> elements");
        }
        return found.item(0).getTextContent().trim();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
