/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.github.foresight.core.layout.ReplicaNodes;

/** The dependencies that the placement policy may have. */
@AnalyzeClasses(packages = "io.github.foresight.placement", importOptions = ImportOption.DoNotIncludeTests.class)
class PlacementArchitectureTest {

    @ArchTest
    static final ArchRule placement_knowsNoOtherAdapter = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.github.foresight.namenode..",
                    "io.github.foresight.datanode..",
                    "io.github.foresight.client..",
                    "io.github.foresight.operator..",
                    "io.github.foresight.cluster..")
            .because("its jar is installed alone");

    @ArchTest
    static final ArchRule placement_leavesNamesystemToNamespaceFiles = noClasses()
            .that()
            .haveNameNotMatching(".*NamespaceFiles.*")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.hadoop.hdfs.server.namenode..")
            .because("only it reads the namespace, and without a lock");

    @ArchTest
    static final ArchRule placement_asksNotAllNodes = noClasses()
            .should()
            .callMethod(ReplicaNodes.class, "first", long.class)
            .orShould()
            .callMethod(ReplicaNodes.class, "order", long.class)
            .because("these are linear in the nodes, and a handler must not be");
}
