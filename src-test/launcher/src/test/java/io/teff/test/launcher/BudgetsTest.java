package io.teff.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lane above its seconds is a warning; a lane that starts more than it may has failed. */
final class BudgetsTest {
    private static final Budgets BUDGETS = Budgets.of(List.of("# lane seconds and counts", "", "unit 50 2 3 4 1000"));

    @TempDir
    private Path root;

    private static ClassReport report(String lane, String name, double seconds) {
        return new ClassReport(lane, "engine", name, 1, 0, 0, seconds);
    }

    @Test
    void warnings_ofALaneAboveItsSeconds_nameTheThreeSlowestClasses() {
        List<ClassReport> reports = List.of(report("unit", "A", 1), report("unit", "B", 40), report("unit", "C", 9),
            report("unit", "D", 2), report("sim", "E", 99));
        assertEquals(List.of("warning: lane unit took 52 s of its 50 s; slowest: B 40 s, C 9 s, D 2 s"),
            BUDGETS.warnings(Map.of("unit", 52.0, "sim", 99.0), reports));
        assertEquals(List.of(), BUDGETS.warnings(Map.of("unit", 50.0), reports));
    }

    @Test
    void excesses_areCountsAboveTheBudget() {
        assertEquals(List.of(), BUDGETS.excesses(Map.of("unit", Map.of("JVM", 2L, "SEED", 1000L))));
        List<String> lines = BUDGETS.excesses(Map.of("unit", Map.of("JVM", 3L, "SEED", 1000L)));
        assertEquals(1, lines.size());
        assertTrue(lines.getFirst().startsWith("lane unit has started 3 of JVM, "), lines::toString);
    }

    @Test
    void starts_areSummedOverTheJvmsOfTests_byLane() throws IOException {
        Module module = new Module("engine", "e", "E", root.resolve("engine/pom.xml"), List.of(), List.of(),
            List.of(), List.of(), true);
        write("engine/target/starts/own/1.txt", "JVM 2\nSEED 5\n");
        write("engine/target/starts/own/2.txt", "SEED 7\n");
        write("engine/target/starts/plain/3.txt", "SEED 1\n");
        assertEquals(Map.of("unit", Map.of("JVM", 2L, "SEED", 12L), "plain", Map.of("SEED", 1L)),
            Budgets.starts(List.of(module)));
        Budgets.deleteStarts(List.of(module));
        assertEquals(Map.of(), Budgets.starts(List.of(module)));
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void line_withTooFewWords_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> Budgets.of(List.of("unit 50 2")));
    }

    /** The budgets of this repository have all lanes, and together fit into the time of the gate. */
    @Test
    void budgets_ofThisRepository_fitIntoTheGate() throws IOException {
        Budgets budgets = Budgets.read(LaneTimesTest.root());
        assertEquals(Lanes.ORDER, budgets.lanes());
        long sum = budgets.lanes().stream().mapToLong(budgets::seconds).sum();
        assertTrue(sum <= Budgets.CLASS_SECONDS, () -> sum + " s");
    }
}
