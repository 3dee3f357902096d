package io.teff.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of tiers follows from the sources of the tests. */
final class TierPageTest {
    @TempDir
    private Path root;

    private String page(String folder, String name, String text) throws IOException {
        Path file = root.resolve("src-test").resolve(folder).resolve(name + ".java");
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return TierPage.read(root).text();
    }

    @Test
    void markedClass_hasARowWithItsReason_andIsNotInTheGate() throws IOException {
        String page = page("cluster/src/test/java/io/teff/a", "KillTest",
            "@Tag(\"processes\")\n@FullTier(\"a cluster of processes; \"\n    + \"TourTest kills, too\")\n"
            + "final class KillTest {\n    @Test\n    void kill() {}\n}\n");
        String row = "| `KillTest` | cluster | full | a cluster of processes; TourTest kills, too |\n";
        assertTrue(page.contains(row), page);
        assertFalse(page.contains("- **cluster**"), page);
    }

    @Test
    void markedMethod_hasARow_andItsClassIsInTheGate() throws IOException {
        String page = page("unit/engine/io/teff/engine", "MapTest", "final class MapTest {\n    @Test\n"
            + "    @LongTier(\"hours\")\n    void all_ofThem() {}\n\n    @Test\n    void one() {}\n}\n");
        assertTrue(page.contains("| `MapTest.all_ofThem` | unit | long | hours |\n"), page);
        assertTrue(page.contains("- **unit/engine** (1): `MapTest`\n"), page);
    }

    @Test
    void sizes_areThoseOfTheCalls() throws IOException {
        String page = page("sim/src/test/java/io/teff/sim", "SimTest",
            "class SimTest {\n    private static final int SEEDS = Form.size(\"seeds\", 20, 200,\n        2_500);\n"
            + "    int more = f(Form.size(g(1, 2), 3));\n}\n");
        assertTrue(page.contains("| `SimTest` | `SEEDS` | 20 | 200 | 2_500 | `seeds` |\n"), page);
        assertTrue(page.contains("| `SimTest` |  | g(1, 2) | g(1, 2) | 3 |  |\n"), page);
    }

    /** The page of this repository is the one that its sources give. */
    @Test
    void page_ofThisRepository_isUpToDate() throws IOException {
        assertEquals(TierPage.read(LaneTimesTest.root()).text(),
            Files.readString(LaneTimesTest.root().resolve(TierPage.PAGE)), "./teff test --tiers writes the page");
    }

    @Test
    void tier_isTheHighestThatIsAskedFor() {
        List<String> arguments = new ArrayList<>(List.of("--full", "unit", "--long"));
        assertEquals(Tier.LONG, Tier.take(arguments));
        assertEquals(List.of("unit"), arguments);
        assertEquals(Tier.FULL, Tier.take(new ArrayList<>(List.of("--full"))));
        assertEquals(Tier.GATE, Tier.take(arguments));
    }
}
