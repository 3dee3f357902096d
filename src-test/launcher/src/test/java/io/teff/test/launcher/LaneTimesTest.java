package io.teff.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of times follows from the log of a run and from the page, which has a row for each lane. */
final class LaneTimesTest {
    private static List<String> log() {
        List<String> log = new ArrayList<>(List.of(LaneTimes.wholeRun(Tier.GATE, 820_400_000_000L)));
        for (String name : Lanes.ORDER) {
            log.add(String.format("lane %-11s passed   %6d tests    0 failed    0 skipped %8.1f s", name, 1200, 7.6));
        }
        return log;
    }

    /** Returns the folder of the repository: the current one, or one above it. */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/LANES.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    @Test
    void table_ofARun_hasItsTimes_andTheBudgets() {
        List<String> table = LaneTimes.table(log(), Budgets.of(List.of("unit 55 0 0 0 0")));
        assertEquals(LaneTimes.HEAD, table.getFirst());
        assertEquals("| unit | 1,200 | 55 | 8 |", table.get(2));
        assertEquals("| system | 1,200 | 0 | 8 |", table.get(3));
        assertEquals("| by the clock | 18,000 | 900 | 820 |", table.getLast());
    }

    @Test
    void table_ofAnInterruptedRun_hasQuestionMarks() {
        List<String> table = LaneTimes.table(log().subList(1, 3), Budgets.of(List.of()));
        assertTrue(table.getLast().contains("?"), table::toString);
    }

    @Test
    void table_ofTheGate_hasNothingForALaneThatTheGateLeavesOut() {
        List<String> gate = log().stream().filter(line -> !line.startsWith("lane bench ")).toList();
        List<String> table = LaneTimes.table(gate, Budgets.of(List.of("bench 0 0 0 0 0")));
        assertEquals("| bench | 0 | 0 | 0 |", table.get(table.size() - 2));
    }

    /** docs/LANES.md has one row for each lane, in the order of the lanes, and one for the whole run. */
    @Test
    void page_hasARowForEachLane() throws Exception {
        List<String> page = Files.readAllLines(root().resolve("docs/LANES.md"));
        int at = page.indexOf(LaneTimes.HEAD);
        assertTrue(at >= 0, LaneTimes.HEAD);
        List<String> names = new ArrayList<>(Lanes.ORDER);
        names.add(LaneTimes.CLOCK);
        for (int i = 0; i < names.size(); i++) {
            String row = page.get(at + 2 + i);
            assertTrue(row.matches("\\| " + names.get(i) + " \\| [0-9,]+ \\| [0-9,]+ \\| [0-9,]+ \\|"),
                () -> "not the row of a lane: " + row);
        }
        assertEquals("", page.get(at + 2 + names.size()), "more rows than lanes");
    }
}
