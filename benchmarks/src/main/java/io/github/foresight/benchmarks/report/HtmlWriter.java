/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes a page of HTML that is well-formed XML too, so that text is escaped and each element is closed. */
final class HtmlWriter {

    private final XMLStreamWriter out;

    HtmlWriter(XMLStreamWriter out) {
        this.out = out;
    }

    /** Begins the page, up to the body's first element. */
    void begin(String title, String style) throws XMLStreamException {
        out.writeDTD("<!DOCTYPE html>");
        open("html", "lang", "en");
        open("head");
        out.writeEmptyElement("meta");
        out.writeAttribute("charset", "utf-8");
        element("title", title);
        element("style", style);
        close();
        open("body");
    }

    /** Ends the page. */
    void end() throws XMLStreamException {
        out.writeEndDocument();
        out.close();
    }

    /** Begins an element with attributes: names and values in turn. */
    void open(String name, String... attributes) throws XMLStreamException {
        out.writeStartElement(name);
        attributes(attributes);
    }

    /** Ends the innermost element. */
    void close() throws XMLStreamException {
        out.writeEndElement();
    }

    void text(String text) throws XMLStreamException {
        out.writeCharacters(text);
    }

    void element(String name, String text, String... attributes) throws XMLStreamException {
        open(name, attributes);
        text(text);
        close();
    }

    /** An element without content. */
    void empty(String name, String... attributes) throws XMLStreamException {
        out.writeEmptyElement(name);
        attributes(attributes);
    }

    void link(String address, String text) throws XMLStreamException {
        element("a", text, "href", address);
    }

    void image(String address, String description) throws XMLStreamException {
        empty("img", "src", address, "alt", description);
    }

    private void attributes(String... attributes) throws XMLStreamException {
        for (int i = 0; i < attributes.length; i += 2) {
            out.writeAttribute(attributes[i], attributes[i + 1]);
        }
    }
}
