package io.teff.test.rules.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;
import io.teff.test.rules.Repository;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The dependencies between the modules, checked on their class files; planted classes show that each rule can fail. */
final class ArchitectureTest {
    private static final String TESTS = "io.teff.test";
    private static final String PLANTED = TESTS + ".rules.architecture.planted";

    private static final int CIRCLE_MAX = 5;
    private static final Path SHARED_NAMES = Path.of("src-test/rules/shared-names.txt");
    private static final int ADMIN_TYPES_MAX = 26;
    private static final Pattern FOR_THE_BUILD_ONLY = Pattern.compile(
        "requires\\s+(static\\s+transitive|transitive\\s+static)\\s");

    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(ArchitectureTest::isProduct)
            .importPackages("io.teff");
    private static final JavaClasses PLANT = new ClassFileImporter().importPackages(PLANTED);

    /** Unit tests are in the packages of products; in the inner loop they are on the class path, too. */
    private static boolean isProduct(Location location) {
        return !location.contains("io/teff/test/") && !location.contains("/test-classes/");
    }

    @Test
    void engine_dependsOn_nothingButTheJdk() {
        assertTrue(PRODUCT.stream().anyMatch(type -> type.getPackageName().startsWith("io.teff.engine")));
        Arrows.onlyDependsOn("io.teff.engine").check(PRODUCT);
    }

    @Test
    void recovery_dependsOn_theEngine() {
        Arrows.onlyDependsOn("io.teff.recovery", "io.teff.engine..").check(PRODUCT);
    }

    @Test
    void tcpTransport_dependsOn_nothingButTheInterface() {
        Arrows.onlyDependsOn("io.teff.nio", "io.teff.cluster.net.transport..")
            .check(PRODUCT.that(not(resideInAPackage("io.teff.nio.selector.."))));
    }

    @Test
    void selectorProvider_dependsOn_theBindingsOfUcx() {
        Arrows.onlyDependsOn("io.teff.nio.selector", "io.teff.rdma", "io.teff.rdma.ucx..", "javax.crypto..",
            "jdk.jfr..").check(PRODUCT);
    }

    @Test
    void rdma_dependsOn_theInterfaceTheSeamsAndTheOffer() {
        Arrows.onlyDependsOn("io.teff.rdma", "io.teff.cluster.net.transport..", "io.teff.engine.os",
            "io.teff.engine.offer", "io.teff.engine.error").check(PRODUCT);
        Arrows.onlyDependsOn("io.teff.rdma.transport", "io.teff.cluster.net.transport..", "io.teff.engine.os",
            "io.teff.rdma..").check(PRODUCT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.teff.rdma.ffi", "io.teff.rdma.ucx", "io.teff.rdma.verbs"})
    void bindings_dependOn_nothingButTheJdk(String home) {
        Arrows.onlyDependsOn(home, "io.teff.rdma", "io.teff.rdma.ffi").check(PRODUCT);
    }

    @Test
    void oneSidedReads_dependOn_theOfferAndTheBindings() {
        Arrows.onlyDependsOn("io.teff.rdma.reads", "io.teff.engine.offer", "io.teff.engine.error", "io.teff.rdma",
            "io.teff.rdma.ffi", "io.teff.rdma.ucx..", "io.teff.rdma.verbs..").check(PRODUCT);
    }

    @Test
    void messages_dependOn_theEngineAndQueues() {
        Arrows.onlyDependsOn("io.teff.cluster.net", "io.teff.engine.codec..", "io.teff.engine.os..", "org.jctools..",
            "javax.crypto..").check(PRODUCT);
    }

    @Test
    void aeronTransport_dependsOn_theInterfaceAndAeron() {
        Arrows.onlyDependsOn("io.teff.cluster.aeron", "io.teff.cluster.net.transport..", "io.teff.engine.os..",
            "io.aeron..", "org.agrona..", "org.jctools..").check(PRODUCT);
    }

    @Test
    void jcacheBridge_dependsOn_theEngineAndTheApi() {
        assertTrue(PRODUCT.stream().anyMatch(type -> type.getPackageName().equals("io.teff.bridge.jcache")));
        Arrows.onlyDependsOn("io.teff.bridge.jcache", "io.teff.engine..", "javax.cache..", "javax.management..")
                .check(PRODUCT);
    }

    @Test
    void ycsbBridge_dependsOn_theStoresAndYcsb() {
        assertTrue(PRODUCT.stream().anyMatch(type -> type.getPackageName().equals("io.teff.bridge.ycsb")));
        Arrows.onlyDependsOn("io.teff.bridge.ycsb", "io.teff.engine..", "io.teff.recovery", "io.teff.cluster",
            "site.ycsb..", "org.apache.htrace..").check(PRODUCT);
    }

    @Test
    void kafkaBridge_dependsOn_theStoresAndKafka() {
        assertTrue(PRODUCT.stream().anyMatch(type -> type.getPackageName().equals("io.teff.bridge.kafka")));
        Arrows.onlyDependsOn("io.teff.bridge.kafka", "io.teff.engine..", "io.teff.recovery", "org.apache.kafka..")
            .check(PRODUCT);
    }

    @Test
    void springBridge_dependsOn_theStoresAndSpring() {
        assertTrue(PRODUCT.stream().anyMatch(type -> type.getPackageName().equals("io.teff.bridge.spring")));
        Arrows.onlyDependsOn("io.teff.bridge.spring", "io.teff.engine..", "io.teff.recovery", "io.teff.cluster..",
            "io.teff.bridge.micrometer", "io.micrometer..", "org.springframework..").check(PRODUCT);
    }

    @Test
    void graphs_dependOn_theStoresOnly() {
        assertTrue(PRODUCT.stream().anyMatch(type -> type.getPackageName().equals("io.teff.graph")));
        Arrows.onlyDependsOn("io.teff.graph", "io.teff.engine..", "io.teff.recovery", "javax.xml..").check(PRODUCT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.teff.tools", "io.teff.nio", "io.teff.rdma.transport", "io.teff.rdma.reads",
        "io.teff.cluster.aeron", "io.teff.cluster.terminal", "io.teff.bridge.agrona", "io.teff.bridge.chronicle",
        "io.teff.bridge.jcache", "io.teff.bridge.ycsb", "io.teff.bridge.kafka", "io.teff.bridge.spring"})
    void leaves_areNeeded_byNobody(String home) {
        Arrows.nothingDependsOn(home).check(PRODUCT);
    }

    /** The starter of Spring offers its meters. */
    @Test
    void micrometerBridge_isNeeded_byTheStarterOnly() {
        Arrows.nothingDependsOn("io.teff.bridge.micrometer").check(PRODUCT.that(not(resideInAPackage(
            "io.teff.bridge.spring.."))));
    }

    /** Besides the modules of RDMA, the selector provider alone uses the bindings. */
    @Test
    void bindings_areNeeded_byTheSelectorProviderOnly() {
        Arrows.nothingDependsOn("io.teff.rdma").check(PRODUCT.that(not(resideInAPackage("io.teff.nio.selector.."))));
    }

    /** Consoles are built on the client, on the administration, and on nothing behind these. */
    @Test
    void terminal_uses_theFacesOfTheClusterOnly() {
        String home = "io.teff.cluster.terminal";
        assertTrue(PRODUCT.stream().anyMatch(type -> type.getPackageName().startsWith(home)));
        Arrows.usesOnlyOf(home, "io.teff.cluster", home + "..", "io.teff.cluster", "io.teff.cluster.admin",
            "io.teff.cluster.compute", "io.teff.cluster.console", "io.teff.cluster.service")
            .check(PRODUCT);
    }

    @Test
    void console_uses_theAdministrationOnly() {
        String home = "io.teff.cluster.console";
        assertTrue(PRODUCT.stream().anyMatch(type -> type.getPackageName().equals(home)));
        Arrows.usesOnlyOf(home, "io.teff.cluster", home, "io.teff.cluster.admin").check(PRODUCT);
    }

    @Test
    void administration_isSmall_andTheOnlyFaceBesideTheClient() {
        List<String> types = PRODUCT.stream().filter(type -> type.getPackageName().equals("io.teff.cluster.admin")
            && type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
            .map(JavaClass::getSimpleName).sorted().toList();
        assertTrue(types.contains("ClusterAdmin") && types.size() <= ADMIN_TYPES_MAX, types::toString);
        String descriptor = Repository.read(Path.of("cluster/core/src/main/java/module-info.java"));
        assertEquals(List.of("io.teff.cluster", "io.teff.cluster.admin", "io.teff.cluster.compute",
            "io.teff.cluster.service"), Pattern
            .compile("exports ([^;]+);").matcher(descriptor).results().map(found -> found.group(1)).toList());
    }

    /** The demos run the example of a class graph; nothing else needs an example. */
    @Test
    void examples_areNeeded_byTheDemosOnly() {
        JavaClasses others = PRODUCT.that(not(resideInAnyPackage("io.teff.tools.demo..",
            "io.teff.cluster.terminal.demo..")));
        Arrows.nothingDependsOn("io.teff.examples").check(others);
    }

    /** The packages that the engine exports, and the library of this bridge. */
    @ParameterizedTest
    @CsvSource({"io.teff.bridge.agrona, org.agrona..", "io.teff.bridge.chronicle, net.openhft.chronicle..",
        "io.teff.bridge.micrometer, io.micrometer.core.."})
    void bridges_dependOn_theEngineAndOneLibrary(String home, String library) {
        assertTrue(PRODUCT.stream().anyMatch(type -> type.getPackageName().equals(home)), home);
        Arrows.onlyDependsOn(home, "io.teff.engine", "io.teff.engine.codec", "io.teff.engine.codec.schema",
            "io.teff.engine.collect", "io.teff.engine.compute", "io.teff.engine.config", "io.teff.engine.error",
            "io.teff.engine.report", "io.teff.engine.view", library).check(PRODUCT);
    }

    /** Its other queues need {@code sun.misc.Unsafe}, which the JDK is removing. */
    @Test
    void queues_areThoseWithoutUnsafe() {
        assertTrue(PRODUCT.stream().flatMap(type -> type.getDirectDependenciesFromSelf().stream())
            .anyMatch(it -> it.getTargetClass().getPackageName().startsWith("org.jctools")));
        Arrows.usesOnly("org.jctools", "org.jctools.queues.atomic..", "org.jctools.queues.varhandle..").check(PRODUCT);
    }

    @Test
    void tests_areNeeded_byNobody() {
        Arrows.nothingDependsOn(TESTS).check(PRODUCT);
    }

    /** Defaults of configurations, the start of a node, and checks of files choose for themselves. */
    @Test
    void cluster_takesClockAndThreads_fromItsCallers() {
        Arrows.takesClockAndThreads(resideInAPackage("io.teff.cluster..").and(not(resideInAnyPackage(
            "io.teff.cluster.net..", "io.teff.cluster.aeron..", "io.teff.cluster.terminal.."))),
            Set.of("PeerConfig", "ClusterClient", "ControlProvider", "LinkedBackups", "Node", "NodeDisks", "Tls",
                "TlsCheck", "SecretFiles"))
            .check(PRODUCT);
    }

    @Test
    void takesClockAndThreads_plantedChoice_isFound() {
        assertCaught(Arrows.takesClockAndThreads(resideInAPackage(PLANTED + ".clock"), Set.of()));
        Arrows.takesClockAndThreads(resideInAPackage(PLANTED + ".clock"), Set.of("OwnClock")).check(PLANT);
    }

    /** Users of a module get its dependencies at run time, and compile without further ones. */
    @ParameterizedTest
    @ValueSource(strings = {"engine", "recovery", "cluster/net", "cluster/aeron", "cluster/core", "cluster/console",
        "cluster/terminal", "nio", "nio/selector", "rdma", "rdma/reads", "rdma/transport"})
    void modules_needNothingThatIsForTheBuildOnly(String folder) {
        String descriptor = Repository.read(Path.of(folder, "src/main/java/module-info.java"));
        assertTrue(descriptor.contains("module io.teff."), descriptor);
        assertFalse(FOR_THE_BUILD_ONLY.matcher(descriptor).find(), descriptor);
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.teff.engine", "io.teff.recovery", "io.teff.cluster", "io.teff.nio", "io.teff.rdma",
        "io.teff.graph"})
    void packages_haveNoCycles(String home) {
        Arrows.noCyclesIn(home).check(PRODUCT);
    }

    /** Large cycles of classes, which cannot be understood one class at a time, are few. */
    @ParameterizedTest
    @ValueSource(strings = {"io.teff.engine", "io.teff.recovery", "io.teff.cluster", "io.teff.nio", "io.teff.rdma",
        "io.teff.tools", "io.teff.graph", "io.teff.examples", "io.teff.bridge"})
    void circlesOfClasses_haveAtMostFive(String home) {
        List<JavaClass> classes = PRODUCT.stream().filter(type -> type.getPackageName().equals(home)
            || type.getPackageName().startsWith(home + ".")).toList();
        assertFalse(classes.isEmpty(), home);
        List<Set<String>> circles = Circles.among(classes);
        System.out.println("architecture: " + home + ": circles of " + circles.stream().map(Set::size).toList());
        assertTrue(circles.isEmpty() || circles.getFirst().size() <= CIRCLE_MAX, () -> circles.getFirst().toString());
    }

    @Test
    void circlesOfClasses_plantedCircle_isFound() {
        assertEquals(List.of(Set.of(PLANTED + ".left.Left", PLANTED + ".right.Right")), Circles.among(PLANT.stream()
            .toList()));
        List<JavaClass> half = PLANT.stream().filter(type -> type.getSimpleName().equals("Left")).toList();
        assertEquals(List.of(), Circles.among(half));
    }

    /** A name without a line has one owner; a line whose name has one owner again is out of date. */
    @Test
    void simpleNames_haveOneOwner_exceptListedNames() {
        List<String> classes = PRODUCT.stream().filter(type -> !type.getName().contains("$"))
            .map(JavaClass::getName).toList();
        assertEquals(NameOwners.listed(Repository.read(SHARED_NAMES)), NameOwners.shared(classes),
            () -> SHARED_NAMES + " lists other names than those with several owners");
    }

    @Test
    void simpleNames_plantedOwner_isFound() {
        assertEquals(Map.of("Left", Set.of("io.teff.left", "io.teff.other")), NameOwners.shared(List.of(
            "io.teff.left.Left", "io.teff.other.Left", "io.teff.other.Right", "io.teff.left.package-info",
            "io.teff.other.package-info")));
    }

    @Test
    void onlyDependsOn_plantedArrow_isFound() {
        assertCaught(Arrows.onlyDependsOn(PLANTED + ".left"));
        Arrows.onlyDependsOn(PLANTED + ".left", PLANTED + ".right..").check(PLANT);
    }

    @Test
    void nothingDependsOn_plantedArrow_isFound() {
        assertCaught(Arrows.nothingDependsOn(PLANTED + ".right"));
    }

    @Test
    void usesOnly_otherPackage_isFound() {
        assertCaught(Arrows.usesOnly(PLANTED + ".right", PLANTED + ".right.other"));
        Arrows.usesOnly(PLANTED + ".right", PLANTED + ".right").check(PLANT);
    }

    @Test
    void usesOnlyOf_otherPackage_isFound() {
        assertCaught(Arrows.usesOnlyOf(PLANTED + ".left", PLANTED, PLANTED + ".left"));
        Arrows.usesOnlyOf(PLANTED + ".left", PLANTED, PLANTED + ".left", PLANTED + ".right").check(PLANT);
    }

    @Test
    void noCyclesIn_plantedCycle_isFound() {
        assertCaught(Arrows.noCyclesIn(PLANTED));
        Arrows.noCyclesIn(PLANTED + ".left").check(PLANT);
    }

    private static void assertCaught(ArchRule rule) {
        assertThrows(AssertionError.class, () -> rule.check(PLANT));
    }
}
