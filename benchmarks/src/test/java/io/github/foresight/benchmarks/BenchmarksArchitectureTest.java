/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

/** Dependencies between the packages of the benchmarks. The JMH benchmarks, in the root package, may use the code that they measure. */
@AnalyzeClasses(packages = "io.github.foresight.benchmarks", importOptions = ImportOption.DoNotIncludeTests.class)
final class BenchmarksArchitectureTest {

    @ArchTest
    static final ArchRule onlyWorkloadsRunOnHadoop = noClasses()
            .that()
            .resideInAnyPackage(
                    "..benchmarks.command..", "..benchmarks.demo..", "..benchmarks.run..", "..benchmarks.report..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.hadoop..")
            .because("daemons of several Hadoop versions are driven as processes and over HTTP");

    @ArchTest
    static final ArchRule clustersGetFeaturesByTheirJars = noClasses()
            .that()
            .resideInAnyPackage(
                    "..benchmarks.command..", "..benchmarks.demo..", "..benchmarks.run..", "..benchmarks.workload..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.github.foresight.datanode..",
                    "io.github.foresight.client..",
                    "io.github.foresight.namenode..",
                    "io.github.foresight.placement..")
            .because("a benchmark installs what an operator installs");

    @ArchTest
    static final ArchRule packagesFormNoCycle = SlicesRuleDefinition.slices()
            .matching("io.github.foresight.benchmarks.(*)..")
            .should()
            .beFreeOfCycles();
}
