/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

/** The dependencies that the NameNode plugin may have, and the order of its packages. */
@AnalyzeClasses(packages = "io.github.foresight.namenode", importOptions = ImportOption.DoNotIncludeTests.class)
class NameNodeArchitectureTest {

    private static final String ROOT = "io.github.foresight.namenode";

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

    @ArchTest
    static final ArchRule packages_formNoCycle = SlicesRuleDefinition.slices()
            .matching("io.github.foresight.namenode.(*)..")
            .should()
            .beFreeOfCycles();

    @ArchTest
    static final ArchRule packages_dependDownwardsOnly = Architectures.layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("plugin")
            .definedBy(ROOT)
            .layer("entrance")
            .definedBy(ROOT + ".rpc..", ROOT + ".admin..", ROOT + ".checkpoint..")
            .layer("prediction")
            .definedBy(
                    ROOT + ".prefetch..",
                    ROOT + ".layout..",
                    ROOT + ".balance..",
                    ROOT + ".audit..",
                    ROOT + ".change..")
            .layer("guard")
            .definedBy(ROOT + ".guard..", ROOT + ".metrics..")
            .layer("learning")
            .definedBy(ROOT + ".learn..", ROOT + ".client..")
            .layer("ground")
            .definedBy(ROOT + ".settings..", ROOT + ".lease..", ROOT + ".path..", ROOT + ".scratch..")
            .whereLayer("plugin")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("entrance")
            .mayOnlyBeAccessedByLayers("plugin")
            .whereLayer("prediction")
            .mayOnlyBeAccessedByLayers("plugin", "entrance")
            .whereLayer("guard")
            .mayOnlyBeAccessedByLayers("plugin", "entrance", "prediction")
            .whereLayer("learning")
            .mayOnlyBeAccessedByLayers("plugin", "entrance", "prediction", "guard")
            .because("an open passes the packages from the entrance to the ground, and a failure must not pass back");
}
