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
    static final ArchRule onlyTheWorkloadsRunOnHadoop = noClasses()
            .that()
            .resideOutsideOfPackage("..tools.workload..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.hadoop..")
            .because("the tools drive daemons of several Hadoop versions, as processes and over HTTP");

    @ArchTest
    static final ArchRule theClusterIsALibrary = noClasses()
            .that()
            .resideInAnyPackage("..tools.cluster..", "..tools.conf..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("picocli..", "..tools.demo..", "..tools.check..", "..tools.bench..", "..tools.run..")
            .because("tests use it without the command line");

    @ArchTest
    static final ArchRule adaptersAreReachedOnlyThroughTheirJars = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.github.foresight.datanode..", "io.github.foresight.client..", "io.github.foresight.core..")
            .because("the tools install what an operator installs, and check what is installed");

    @ArchTest
    static final ArchRule packagesFormNoCycle = SlicesRuleDefinition.slices()
            .matching("io.github.foresight.tools.(*)..")
            .should()
            .beFreeOfCycles();
}
