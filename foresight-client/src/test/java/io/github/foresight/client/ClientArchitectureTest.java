/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

/** The packages that the client's side may use. */
@AnalyzeClasses(packages = "io.github.foresight", importOptions = ImportOption.DoNotIncludeTests.class)
class ClientArchitectureTest {

    @ArchTest
    static final ArchRule client_knowsNoOtherAdapter = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.github.foresight.datanode..", "io.github.foresight.operator..", "io.github.foresight.cluster..")
            .because("its jar is installed alone");

    @ArchTest
    static final ArchRule client_knowsNoDaemon = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.apache.hadoop.hdfs.server.datanode..",
                    "org.apache.hadoop.hdfs.server.blockmanagement..",
                    "org.apache.hadoop.hdfs.server.namenode")
            .because("applications have hadoop-hdfs-client and not hadoop-hdfs");

    @ArchTest
    static final ArchRule caches_areOfKindsThatTheJarHas = noClasses()
            .should()
            .callMethodWhere(target(owner(type(Caffeine.class)))
                    .and(target(nameMatching("weakKeys|weakValues|softValues|refreshAfterWrite|recordStats|from"))))
            .because("the jar leaves out Caffeine's classes for these");

    @ArchTest
    static final ArchRule packages_haveNoCycles = SlicesRuleDefinition.slices()
            .matching("io.github.foresight.client.(*)..")
            .should()
            .beFreeOfCycles();
}
