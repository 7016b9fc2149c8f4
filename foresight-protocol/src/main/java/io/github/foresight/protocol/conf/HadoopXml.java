/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.ErrorHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/** Reads and writes Hadoop's configuration files without Hadoop on the class path. Stateless. */
public final class HadoopXml {

    private HadoopXml() {}

    /**
     * The properties of a file and of the files that it includes by {@code xi:include}. As in Hadoop, a property
     * without a value is left out, and of two properties with one name the last counts. Variables are not replaced.
     *
     * @throws IOException if the file cannot be read or is not well formed; the message names the file, and the line if
     *     it is known
     */
    public static Map<String, String> read(Path file) throws IOException {
        return properties(file, parse(file, new InputSource(file.toUri().toString())));
    }

    /**
     * The properties that {@link #read(Path)} would return if a file had a text. Nothing is written.
     *
     * @throws IOException as by {@link #read(Path)}
     */
    public static Map<String, String> read(Path file, String text) throws IOException {
        InputSource source = new InputSource(new StringReader(text));
        source.setSystemId(file.toUri().toString());
        return properties(file, parse(file, source));
    }

    private static Map<String, String> properties(Path file, Document document) throws IOException {
        Element root = document.getDocumentElement();
        if (!root.getTagName().equals("configuration")) {
            throw new IOException(file + " is not a Hadoop configuration file: it begins with <" + root.getTagName()
                    + "> instead of <configuration>");
        }
        Map<String, String> properties = new LinkedHashMap<>();
        NodeList nodes = root.getElementsByTagName("property");
        for (int i = 0; i < nodes.getLength(); i++) {
            Element property = (Element) nodes.item(i);
            String name = text(property, "name");
            String value = text(property, "value");
            if (name == null || name.isEmpty()) {
                throw new IOException(file + " has a property without a name at position " + (i + 1));
            }
            if (value != null) {
                properties.put(name, value);
            }
        }
        return properties;
    }

    /** Writes a file, and replaces an existing file. */
    public static void write(Path file, Map<String, String> properties) throws IOException {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
        properties.forEach((name, value) -> xml.append("  <property><name>")
                .append(escape(name))
                .append("</name><value>")
                .append(escape(value))
                .append("</value></property>\n"));
        Files.write(file, xml.append("</configuration>\n").toString().getBytes(StandardCharsets.UTF_8));
    }

    private static Document parse(Path file, InputSource source) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setNamespaceAware(true);
            factory.setXIncludeAware(true);
            // Hadoop's files need no DTD. Without a DTD, a file cannot make the parser fetch anything except its
            // includes.
            factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
            factory.setFeature("http://xml.org/sax/features/external-general-entities", false);
            DocumentBuilder builder = factory.newDocumentBuilder();
            builder.setErrorHandler(Strict.INSTANCE);
            return builder.parse(source);
        } catch (SAXParseException e) {
            throw new IOException(
                    file + " is not well-formed XML: line " + e.getLineNumber() + ": " + e.getMessage(), e);
        } catch (SAXException | ParserConfigurationException e) {
            throw new IOException(file + " cannot be parsed: " + e.getMessage(), e);
        }
    }

    /** The text of an element, or of the attribute with this name, which Hadoop also accepts. */
    private static @Nullable String text(Element property, String tag) {
        NodeList found = property.getElementsByTagName(tag);
        if (found.getLength() > 0) {
            return found.item(0).getTextContent().trim();
        }
        return property.hasAttribute(tag) ? property.getAttribute(tag).trim() : null;
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /** Throws each error; the parser's own handler would print it to standard error. */
    private enum Strict implements ErrorHandler {
        INSTANCE;

        @Override
        public void warning(SAXParseException e) {}

        @Override
        public void error(SAXParseException e) throws SAXException {
            throw e;
        }

        @Override
        public void fatalError(SAXParseException e) throws SAXException {
            throw e;
        }
    }
}
