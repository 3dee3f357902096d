package io.teff.test.bench.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.test.bench.store.StoreKind;
import io.teff.test.bench.store.Values;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions in JVMs of their own, of the stores that need flags: all figures are present, or the failure. */
@FullTier("A JVM for each store that needs flags, one of the tests with runs, which take most of the 379 s of "
    + "this lane. StoreKindTest has the names of all stores.")
@Tag("processes")
final class SessionProcessTest {
    private static final long MEMORY_BYTES = 640L << 20;

    @TempDir
    private Path folder;

    private static SessionPlan plan(StoreKind kind, Values values, long memoryBytes) {
        return new SessionPlan(kind, 3000, values, 2, memoryBytes, 3, 20_000, 20);
    }

    @ParameterizedTest
    @EnumSource(names = {"CHRONICLE", "OHC_LINKED", "OHC_CHUNKED"})
    void run_tinyPlan_hasEveryFigure(StoreKind kind) throws IOException, InterruptedException {
        assumeTrue(Form.isLong() || kind == StoreKind.OHC_CHUNKED, "one store with flags runs in the short form");
        SessionProcess.Outcome outcome = SessionProcess.run(plan(kind, new Values(16, 64), MEMORY_BYTES), folder);
        assertEquals(null, outcome.failure(), () -> text(folder.resolve(kind.id() + ".log")));
        Map<String, Double> figures = outcome.figures();
        assertEquals(names(kind != StoreKind.OHC_CHUNKED), figures.keySet());
        figures.forEach((name, value) -> assertTrue(
            // Few entries are lost in the noise of the process, and a short session need not collect.
            name.equals("bytes") ? Double.isFinite(value) : name.startsWith("gc ") ? value >= 0 : value > 0,
            () -> name + " is " + value));
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(List.of(kind.id() + ".log"), files.map(file -> file.getFileName().toString()).toList());
        }
    }

    private static Set<String> names(boolean iterates) {
        Set<String> names = new LinkedHashSet<>(List.of("create/1", "create/2", "bytes", "remove/1", "gc pause max ms",
            "gc pause sum ms"));
        for (String operation : List.of("nothing", "get", "put", "field", "mixed95", "mixed50", "batch")) {
            names.add(operation + "/1");
            names.add(operation + "/2");
        }
        for (String percentile : List.of("p50", "p99", "p99.9", "p99.99", "max")) {
            names.add("nothing " + percentile + " us");
            names.add("latency " + percentile + " us");
        }
        if (iterates) {
            names.add("iterate/1");
        }
        return names;
    }

    @Test
    void run_jvmThatDoesNotStart_isAFailureThatNamesTheLogAndTheError() throws IOException, InterruptedException {
        SessionProcess.Outcome outcome = SessionProcess.run(plan(StoreKind.CHM, new Values(32, 32), 1024), folder);
        Path log = folder.resolve("chm.log");
        assertEquals(Map.of(), outcome.figures());
        assertEquals("failed with exit code 1, see " + log + ": Error: Could not create the Java Virtual Machine.",
            outcome.failure());
        assertTrue(text(log).contains("Could not create the Java Virtual Machine"), () -> text(log));
    }

    @Test
    void command_anyStore_hasItsFlagsAndItsShareOfTheMemory() {
        List<String> outside = SessionProcess.command(plan(StoreKind.CHRONICLE, new Values(32, 32), MEMORY_BYTES),
            folder);
        assertTrue(outside.containsAll(StoreKind.CHRONICLE.flags()) && outside.containsAll(SessionProcess.FLAGS),
            outside::toString);
        assertTrue(outside.containsAll(List.of("-Xmx" + (512L << 20), "-XX:MaxDirectMemorySize=" + (128L << 20))),
            outside::toString);
        List<String> onHeap = SessionProcess.command(plan(StoreKind.CHM, new Values(32, 32), MEMORY_BYTES), folder);
        assertTrue(onHeap.containsAll(List.of("-Xms" + MEMORY_BYTES, "-Xmx" + MEMORY_BYTES)), onHeap::toString);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
