/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

/** The packages that the DataNode's side may use. */
@AnalyzeClasses(
        packages = {"io.github.foresight.datanode", "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl"},
        importOptions = ImportOption.DoNotIncludeTests.class)
class DataNodeArchitectureTest {

    @ArchTest
    static final ArchRule dataNode_knowsNoOtherAdapter = noClasses()
            .that()
            .resideInAPackage("io.github.foresight..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.github.foresight.client..", "io.github.foresight.operator..", "io.github.foresight.cluster..")
            .because("its jar is installed alone");

    @ArchTest
    static final ArchRule pageCache_knowsNeitherHadoopNorTheReadAhead = classes()
            .that()
            .resideInAPackage("io.github.foresight.datanode.pagecache")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "com.sun.jna..",
                    "com.google..",
                    "org.jspecify..",
                    "org.slf4j..",
                    "io.github.foresight.core.cache",
                    "io.github.foresight.datanode.pagecache")
            .because("it is about files and memory");

    @ArchTest
    static final ArchRule readAhead_doesNotCallTheDataset = noClasses()
            .that()
            .resideInAPackage("io.github.foresight.datanode..")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("org\\.apache\\.hadoop\\..*\\.Foresight.*")
            .because("what stands in HDFS's own package translates and delegates");

    @ArchTest
    static final ArchRule packages_haveNoCycles = SlicesRuleDefinition.slices()
            .matching("io.github.foresight.datanode.(*)..")
            .should()
            .beFreeOfCycles();
}
