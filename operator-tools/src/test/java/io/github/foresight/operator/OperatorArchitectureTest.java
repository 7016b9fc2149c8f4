/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

/** Dependencies between the packages of the operator's commands. */
@AnalyzeClasses(packages = "io.github.foresight.operator", importOptions = ImportOption.DoNotIncludeTests.class)
final class OperatorArchitectureTest {

    @ArchTest
    static final ArchRule onlyPlacementAndStatusRunOnHadoop = noClasses()
            .that()
            .resideOutsideOfPackages("..operator.placement..", "..operator.status..", "..operator.site..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.hadoop..")
            .because("the check looks at a node's class path from outside");

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
    static final ArchRule adaptersAreReachedOnlyThroughTheirJars = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.github.foresight.datanode..",
                    "io.github.foresight.client..",
                    "io.github.foresight.namenode..",
                    "io.github.foresight.placement..")
            .because("an operator runs what is installed, and the check looks at that");

    @ArchTest
    static final ArchRule onlyPlacementDecides = noClasses()
            .that()
            .resideOutsideOfPackage("..operator.placement..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.github.foresight.core.layout..")
            .because("it must name the same replica node as the policy; the others only look on");

    @ArchTest
    static final ArchRule packagesFormNoCycle = SlicesRuleDefinition.slices()
            .matching("io.github.foresight.operator.(*)..")
            .should()
            .beFreeOfCycles();
}
