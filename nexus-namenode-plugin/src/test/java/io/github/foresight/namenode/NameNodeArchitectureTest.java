/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What the NameNode's side may know. */
@AnalyzeClasses(packages = "io.github.foresight.namenode", importOptions = ImportOption.DoNotIncludeTests.class)
class NameNodeArchitectureTest {

    @ArchTest
    static final ArchRule nameNode_knowsNoOtherAdapter = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.github.foresight.datanode..",
                    "io.github.foresight.client..",
                    "io.github.foresight.operator..",
                    "io.github.foresight.cluster..")
            .because("its jar is installed alone");

    @ArchTest
    static final ArchRule nameNode_leavesNamesystemToTheReader = noClasses()
            .should()
            .dependOnClassesThat()
            .haveNameMatching("org\\.apache\\.hadoop\\.hdfs\\.server\\.namenode\\.(FS.*|INode.*)")
            .because("only NamespaceReader takes the namesystem's lock, and holds it briefly");
}
