package io.teff.test.rules.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The dependencies of docs/ARCHITECTURE.md as rules. The module descriptors enforce most of them; these rules also
 * cover properties that a descriptor cannot express, such as cycles between packages.
 */
final class Arrows {
    /** The JDK's base, its flight recorder, and annotations. */
    private static final List<String> EVERYBODYS = List.of("java..", "javax.net.ssl..", "jdk.jfr..", "org.jspecify..");

    private Arrows() {}

    /** Classes under a package use only themselves, the JDK's base, its flight recorder, and the named packages. */
    static ArchRule onlyDependsOn(String home, String... others) {
        String[] allowed = Stream.of(List.of(home + ".."), List.of(others), EVERYBODYS).flatMap(List::stream)
            .toArray(String[]::new);
        return classes().that().resideInAPackage(home + "..")
                .should().onlyDependOnClassesThat().resideInAnyPackage(allowed)
                .because("docs/ARCHITECTURE.md draws no other arrow from " + home)
                .allowEmptyShould(true);
    }

    /** Classes outside of a package do not depend on it. */
    static ArchRule nothingDependsOn(String home) {
        return noClasses().that().resideOutsideOfPackage(home + "..")
                .should().dependOnClassesThat().resideInAPackage(home + "..")
                .because("nothing may need " + home)
                .allowEmptyShould(true);
    }

    /** Of the packages of a library, classes outside of it use only the named ones. */
    static ArchRule usesOnly(String library, String... packages) {
        return noClasses().that().resideOutsideOfPackage(library + "..")
                .should().dependOnClassesThat(resideInAPackage(library + "..").and(not(resideInAnyPackage(packages))))
                .because("other packages of " + library + " use sun.misc.Unsafe, or are not meant for us");
    }

    /** Of the packages of a product, classes under a package use only the named ones. */
    static ArchRule usesOnlyOf(String home, String product, String... packages) {
        return noClasses().that().resideInAPackage(home + "..")
                .should().dependOnClassesThat(resideInAPackage(product + "..").and(not(resideInAnyPackage(packages))))
                .because(home + " is built on the exported faces of " + product + " alone");
    }

    /**
     * Classes take clock and threads from their callers, so that a simulation can replace both.
     *
     * @param home the classes
     * @param exceptions simple names of classes that choose: defaults of configurations, and the begin of a process
     */
    static ArchRule takesClockAndThreads(DescribedPredicate<JavaClass> home, Set<String> exceptions) {
        return noClasses().that(home).and(DescribedPredicate.describe("choose no seams",
                (JavaClass type) -> !exceptions.contains(type.getSimpleName())))
                .should().accessField("io.teff.engine.os.Clock", "SYSTEM")
                .orShould().accessField("io.teff.engine.os.Threads", "SYSTEM")
                .orShould().accessField("io.teff.engine.os.Platform", "SYSTEM")
                .orShould().callMethod("java.lang.System", "nanoTime")
                .orShould().callMethod("java.lang.System", "currentTimeMillis")
                .orShould().callMethod("java.lang.Thread", "ofPlatform")
                .orShould().callMethod("java.lang.Thread", "ofVirtual")
                .because("clock and threads come from the caller");
    }

    /** The packages under a package, itself included, use each other without a cycle. */
    static ArchRule noCyclesIn(String home) {
        return slices().assignedFrom(new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                String name = type.getPackageName();
                boolean inside = name.equals(home) || name.startsWith(home + ".");
                return inside ? SliceIdentifier.of(name) : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "packages of " + home;
            }
        }).should().beFreeOfCycles().allowEmptyShould(true);
    }
}
