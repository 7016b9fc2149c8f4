/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

/** Which parts of the tools may know which. */
@AnalyzeClasses(packages = "io.github.foresight.tools", importOptions = ImportOption.DoNotIncludeTests.class)
final class ToolsArchitectureTest {

    @ArchTest
    static final ArchRule onlyClientsOfAClusterRunOnHadoop = noClasses()
            .that()
            .resideOutsideOfPackages("..tools.workload..", "..tools.placement..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.hadoop..")
            .because("the tools drive daemons of several Hadoop versions, as processes and over HTTP");

    @ArchTest
    static final ArchRule theCommandLineNeedsNoHadoop = noClasses()
            .that()
            .haveSimpleNameEndingWith("Command")
            .or()
            .haveSimpleNameEndingWith("Option")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.hadoop..")
            .because("picocli looks at all commands' methods, and most commands run without Hadoop on the class path");

    @ArchTest
    static final ArchRule theClusterIsALibrary = noClasses()
            .that()
            .resideInAnyPackage("..tools.cluster..", "..tools.conf..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "picocli..",
                    "..tools.demo..",
                    "..tools.check..",
                    "..tools.bench..",
                    "..tools.run..",
                    "..tools.placement..")
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
            .because("the tools install what an operator installs, and check what is installed");

    @ArchTest
    static final ArchRule onlyPlacementDecides = noClasses()
            .that()
            .resideOutsideOfPackage("..tools.placement..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.github.foresight.core.layout..")
            .because("it must name the same replica node as the policy; the others only look on");

    @ArchTest
    static final ArchRule packagesFormNoCycle = SlicesRuleDefinition.slices()
            .matching("io.github.foresight.tools.(*)..")
            .should()
            .beFreeOfCycles();
}
