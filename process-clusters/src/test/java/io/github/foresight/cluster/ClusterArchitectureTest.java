/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Dependencies of this library: no command line, and Hadoop only in code that runs in a client's JVM. */
@AnalyzeClasses(packages = "io.github.foresight.cluster", importOptions = ImportOption.DoNotIncludeTests.class)
final class ClusterArchitectureTest {

    @ArchTest
    static final ArchRule onlyWhatRunsInAClientKnowsHadoop = noClasses()
            .that()
            .resideOutsideOfPackage("..cluster.client..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.hadoop..")
            .because("daemons of several Hadoop versions are driven as processes and over HTTP");

    @ArchTest
    static final ArchRule theCommandLineIsNotKnown = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("picocli..")
            .because("tests use it without the command line");

    @ArchTest
    static final ArchRule adaptersAreReachedOnlyThroughTheirJars = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.github.foresight.datanode..",
                    "io.github.foresight.client..",
                    "io.github.foresight.namenode..",
                    "io.github.foresight.placement..")
            .because("clusters install what an operator installs");
}
