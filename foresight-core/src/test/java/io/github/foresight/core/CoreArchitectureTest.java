/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.github.foresight.core.graph.GraphSnapshot;
import io.github.foresight.core.graph.PackedGraph;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.Timer;

/** The allowed dependencies of the core; each rule states its reason. */
@AnalyzeClasses(packages = "io.github.foresight.core", importOptions = ImportOption.DoNotIncludeTests.class)
class CoreArchitectureTest {

    @ArchTest
    static final ArchRule core_outsideItself_dependsOnFewLibraries = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "com.github.benmanes.caffeine..",
                    "com.google.common..",
                    "com.google.errorprone.annotations..",
                    "org.jspecify..",
                    "io.github.foresight.core..")
            .because(
                    "the algorithms run in simulators and tests as well as in daemons, and outlive Hadoop's interfaces");

    @ArchTest
    static final ArchRule corePackages_amongThemselves_haveNoCycles = slices().matching(
                    "io.github.foresight.core.(*)..")
            .should()
            .beFreeOfCycles()
            .because("one idea per package can be read, tested and replaced by itself only if none leads back to it");

    @ArchTest
    static final ArchRule core_anywhere_readsNoClock = noClasses()
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(LocalDate.class, "now")
            .orShould()
            .callMethod(LocalDateTime.class, "now")
            .orShould()
            .callMethod(ZonedDateTime.class, "now")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class)
            .because("a run must be a function of its events: time is handed in");

    @ArchTest
    static final ArchRule core_anywhere_startsNoThread = noClasses()
            .should()
            .beAssignableTo(Thread.class)
            .orShould()
            .callConstructor(Thread.class, Runnable.class)
            .orShould()
            .callMethod(Thread.class, "start")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Timer.class)
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.concurrent.Executors")
            .because("the adapters own the threads, and a run must not depend on their schedule");

    @ArchTest
    static final ArchRule core_decisions_doNoIo = noClasses()
            .that()
            .doNotBelongToAnyOf(GraphSnapshot.class)
            .and()
            .areNotAssignableTo(PackedGraph.class)
            .and()
            .areNotAssignableTo("io.github.foresight.core.graph.PackedGraph$VertexSink")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.nio.file..", "java.nio.channels..", "java.net..", "java.io..")
            .because("decisions are made under a lock, and no lock is held over I/O");

    @ArchTest
    static final ArchRule core_snapshots_useTheStreamsTheyAreGiven = noClasses()
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.io\\.(File.*|RandomAccessFile|Console|Piped.*)")
            .because("a graph is written to, and read from, whatever stream the caller has opened");
}
