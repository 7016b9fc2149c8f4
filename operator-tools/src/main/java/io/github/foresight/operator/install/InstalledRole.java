/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.install;

import java.util.Locale;

/** The role of a process for which a jar and its properties are installed. */
enum InstalledRole {
    NAMENODE("hdfs-site.xml"),
    DATANODE("hdfs-site.xml"),
    PLACEMENT("hdfs-site.xml"),
    CLIENT("core-site.xml");

    private final String site;

    InstalledRole(String site) {
        this.site = site;
    }

    /** The role's name on a command line, in its jar and in its fragment. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The configuration file that has the role's properties. */
    String site() {
        return site;
    }

    String jar() {
        return "foresight-" + word() + ".jar";
    }

    String fragment() {
        return "foresight-" + word() + ".xml";
    }
}
