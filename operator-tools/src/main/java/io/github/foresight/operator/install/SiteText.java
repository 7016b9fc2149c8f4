/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.install;

import com.google.common.collect.ImmutableList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of a Hadoop configuration file, whose properties can be changed without touching anything else: comments, order and white space stay. It
 * sees properties in the form {@code <property><name>..</name><value>..</value></property>}; others are left alone. Immutable.
 */
final class SiteText {

    /** A comment, a CDATA section or a property. The first two hide properties within them. */
    private static final Pattern PARTS = Pattern.compile(
            "<!--.*?-->|<!\\[CDATA\\[.*?]]>|(?<property>[ \\t]*<property\\s*>.*?</property\\s*>[ \\t]*\\n?)",
            Pattern.DOTALL);

    private static final Pattern NAME = Pattern.compile("<name\\s*>\\s*(?<text>.*?)\\s*</name\\s*>", Pattern.DOTALL);
    private static final Pattern VALUE = Pattern.compile("<value\\s*>\\s*(?<text>.*?)\\s*</value\\s*>", Pattern.DOTALL);
    private static final String END = "</configuration>";

    private final String text;
    private final ImmutableList<Property> properties;

    SiteText(String text) {
        this.text = text;
        ImmutableList.Builder<Property> found = ImmutableList.builder();
        for (Matcher part = PARTS.matcher(text); part.find(); ) {
            String property = part.group("property");
            if (property != null) {
                Property of = Property.of(property, part.start("property"));
                if (of != null) {
                    found.add(of);
                }
            }
        }
        this.properties = found.build();
    }

    /** The properties in their order. */
    ImmutableList<Property> properties() {
        return properties;
    }

    /** The last property with a name; null if there is none. Hadoop ignores earlier ones. */
    @Nullable
    Property find(String name) {
        return properties.reverse().stream()
                .filter(property -> property.name.equals(name))
                .findFirst()
                .orElse(null);
    }

    /** This text with another value of a property. */
    SiteText with(Property property, String value) {
        return new SiteText(text.substring(0, property.valueBegin) + escape(value) + text.substring(property.valueEnd));
    }

    /** This text without a property. */
    SiteText without(Property property) {
        return new SiteText(text.substring(0, property.begin) + text.substring(property.end));
    }

    /** This text without the lines from the one with a mark to the one with another mark, both included. */
    SiteText withoutLines(String beginMark, String endMark) {
        String between = between(beginMark, endMark);
        return between.isEmpty() ? this : new SiteText(text.replace(between, ""));
    }

    /**
     * The lines from the one with a mark to the one with another mark, both included.
     *
     * @return empty if neither mark is there
     * @throws SiteException if only one of the two is there, or one of them twice
     */
    String between(String beginMark, String endMark) {
        int begin = text.indexOf(beginMark);
        int end = text.indexOf(endMark);
        if (begin < 0 && end < 0) {
            return "";
        }
        if (begin < 0 || end < begin || text.lastIndexOf(beginMark) != begin || text.lastIndexOf(endMark) != end) {
            throw new SiteException("the marks \"" + beginMark + "\" and \"" + endMark
                    + "\" must stand there once, in this order; remove the properties between them by hand");
        }
        int lineBegin = text.lastIndexOf('\n', begin) + 1;
        int lineEnd = text.indexOf('\n', end);
        return text.substring(lineBegin, lineEnd < 0 ? text.length() : lineEnd + 1);
    }

    /**
     * This text with lines before the end of the configuration.
     *
     * @throws SiteException if the text has no end of a configuration
     */
    SiteText append(String lines) {
        int end = text.lastIndexOf(END);
        if (end < 0) {
            throw new SiteException("it has no " + END);
        }
        int lineBegin = text.lastIndexOf('\n', end) + 1;
        boolean isAlone = text.substring(lineBegin, end).trim().isEmpty();
        int at = isAlone ? lineBegin : end;
        return new SiteText(text.substring(0, at) + (isAlone ? "" : "\n") + lines + text.substring(at));
    }

    @Override
    public String toString() {
        return text;
    }

    static String escape(String value) {
        return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String unescape(String value) {
        return value.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&apos;", "'")
                .replace("&amp;", "&");
    }

    /** A property and where it stands in its text. Immutable. */
    static final class Property {

        final String name;
        final String value;
        private final String element;
        private final int begin;
        private final int end;
        private final int valueBegin;
        private final int valueEnd;

        private Property(String name, String element, int begin, int valueBegin, int valueEnd) {
            this.name = name;
            this.value = unescape(element.substring(valueBegin - begin, valueEnd - begin));
            this.element = element;
            this.begin = begin;
            this.end = begin + element.length();
            this.valueBegin = valueBegin;
            this.valueEnd = valueEnd;
        }

        /** Null for an element without a name or a value, or with a comment inside, which could hide either. */
        private static @Nullable Property of(String element, int begin) {
            Matcher name = NAME.matcher(element);
            Matcher value = VALUE.matcher(element);
            if (element.contains("<!--") || !name.find() || !value.find()) {
                return null;
            }
            return new Property(
                    name.group("text"), element, begin, begin + value.start("text"), begin + value.end("text"));
        }

        /** The property as it stands in its text. */
        String lines() {
            return element.endsWith("\n") ? element : element + "\n";
        }
    }
}
