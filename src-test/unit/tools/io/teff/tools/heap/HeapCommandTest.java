package io.teff.tools.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.report.HeapMap;
import io.teff.engine.report.Progress;
import io.teff.engine.report.StoreStats;
import io.teff.tools.cli.Teff;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: output and exit codes of the heap command. Method: snapshots of small stores, undamaged and damaged; the text
 * and the map are compared with the store.
 */
final class HeapCommandTest {
    private static final int EXIT_USAGE = 2;
    private static final int CHUNKS = 100_000;

    @TempDir
    private Path folder;
    private Path file;
    private StoreStats stats;
    private long largest;

    private record Outcome(int exit, String out, String err) {}

    private static Outcome run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of("heap"));
        all.addAll(List.of(arguments));
        int exit = Teff.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
            .execute(all.toArray(String[]::new));
        return new Outcome(exit, out.toString(), err.toString());
    }

    @BeforeEach
    void writeSnapshot() {
        file = folder.resolve("store.teff");
        try (Store store = Store.open(StoreConfig.builder().nid(3).memoryLimitBytes(64L << 20).build())) {
            long[] cids = new long[CHUNKS];
            assertEquals(CHUNKS, store.batch().create(64, cids, 0, CHUNKS, false));
            for (int i = 0; i < CHUNKS; i += 2) {
                store.remove(cids[i]);
            }
            largest = store.createReadOnly(new byte[2_000_000]);
            for (int creator = 10; creator < 40; creator++) {
                assertEquals(Status.OK, store.ids().createAt(Cid.of(creator, 1), 5));
            }
            stats = store.stats();
            store.snapshot(file);
        }
    }

    // ---- reports ----

    @Test
    @Tag("modes")
    void json_isOneDocumentWithTheStoresFigures() throws IOException {
        Outcome outcome = run("--json", "--largest=2", "--quiet", file.toString());
        assertEquals(0, outcome.exit(), outcome::err);
        assertEquals("", outcome.err());
        Map<String, Object> report = JSON.std.mapFrom(outcome.out());
        assertEquals(stats.chunks(), number(report, "chunks"));
        assertEquals(stats.payloadBytes(), number(report, "payloadBytes"));
        assertEquals(1, number(report, "readOnlyChunks"));
        assertEquals(Files.size(file), number(report, "fileBytes"));
        assertEquals(stats.tableBytes(), number(part(report, "memory"), "tableBytes"));
        assertEquals(2, list(report, "largest").size());
        Map<?, ?> first = (Map<?, ?>) list(report, "largest").getFirst();
        assertEquals(Cid.toString(largest), first.get("cid"));
        assertEquals(2_000_000, number(first, "bytes"));
        assertEquals(true, first.get("readOnly"));
        assertEquals(31, list(report, "creators").size());
        Map<?, ?> slots = (Map<?, ?>) list(report, "sizeClasses").getLast();
        assertEquals(64, number(slots, "slotBytes"));
        assertEquals(CHUNKS / 2, number(slots, "slotsInUse"));
    }

    @Test
    void text_hasEveryPartAndFitsTheScreen() {
        Outcome outcome = run(file.toString(), "--quiet");
        assertEquals(0, outcome.exit(), outcome::err);
        for (String expected : List.of("NID 3, 50,031 chunks (1 read-only, 0 empty)", "SIZE CLASSES", "FILL OF PAGES",
            "LENGTHS", "LARGEST CHUNKS", Cid.toString(largest), "2,000,000 B  read-only", "CREATORS",
            "and 11 more", "runs of large chunks: 1 with 1 chunks")) {
            assertTrue(outcome.out().contains(expected), () -> expected + " in " + outcome.out());
        }
        assertTrue(outcome.out().lines().anyMatch(line -> line.startsWith("     64 B 32.0 KiB")
            && line.contains("50,000")), outcome::out);
        outcome.out().lines().forEach(line ->
            assertTrue(line.length() <= 120 && line.equals(line.stripTrailing()), line));
        assertFalse(run(file.toString(), "--largest=0", "--quiet").out().contains("LARGEST"));
    }

    @Test
    void text_ofAnEmptyStore_hasNoNaN() {
        try (Store store = Store.open()) {
            store.snapshot(file);
        }
        Outcome outcome = run(file.toString(), "--map=" + folder.resolve("empty.png"));
        assertEquals(0, outcome.exit(), outcome::err);
        assertTrue(outcome.out().contains(" 0 chunks"), outcome::out);
        assertFalse(outcome.out().contains("NaN"), outcome::out);
        assertTrue(Files.exists(folder.resolve("empty.png")));
    }

    @Test
    void text_ofACheckedStore_namesTheDebugLevel() {
        try (Store store = Store.open(StoreConfig.builder()
            .debugLevel(DebugLevel.CANARIES).build())) {
            store.create(16L);
            store.snapshot(file);
        }
        assertTrue(run(file.toString()).out().contains("debug level CANARIES"));
    }

    // ---- picture ----

    @Test
    void map_showsEachCellInItsColour() throws IOException {
        Path picture = folder.resolve("map.PNG");
        Outcome outcome = run(file.toString(), "--map", picture.toString(), "--quiet");
        assertEquals(0, outcome.exit(), outcome::err);
        BufferedImage image = ImageIO.read(picture.toFile());
        HeapMap map = Store.analyze(file, 0, Progress.NONE).map();
        Set<Color> colors = new HashSet<>();
        for (int cell = 0; cell < map.cellCount(); cell++) {
            Color expected = MapPicture.color(map, cell);
            colors.add(expected);
            int x = 24 + 84 + cell % 64 * 16 + 8;
            int y = 24 + 56 + cell / 64 * 16 + 14;
            assertEquals(expected, new Color(image.getRGB(x, y)), "cell " + cell);
        }
        assertTrue(colors.size() >= 4, () -> "half-filled pages, table, run, free: " + colors);
    }

    @Test
    void ramp_getsDarkerWithFill() {
        int before = Integer.MAX_VALUE;
        for (double fill = 0; fill <= 1; fill += 0.125) {
            Color color = MapPicture.ramp(fill);
            int light = 2 * color.getRed() + 5 * color.getGreen() + color.getBlue();
            assertTrue(light < before, "fill " + fill);
            before = light;
        }
        assertNotEquals(MapPicture.ramp(0.4), MapPicture.ramp(0.5));
    }

    @Test
    void map_thatCannotBeWritten_exitsWithOne() throws IOException {
        Path picture = Files.createDirectory(folder.resolve("folder.png"));
        Outcome outcome = run(file.toString(), "--quiet", "--map=" + picture);
        assertEquals(HeapCommand.EXIT_FAILED, outcome.exit());
        assertTrue(outcome.err().contains("the map " + picture + " was not written"), outcome::err);
    }

    // ---- bad files ----

    private void refused(String what) {
        Outcome outcome = run("--quiet", file.toString());
        assertEquals(HeapCommand.EXIT_FAILED, outcome.exit(), outcome::out);
        assertEquals("", outcome.out());
        assertTrue(outcome.err().startsWith("./teff heap: snapshot " + file) && outcome.err().contains(what)
            && outcome.err().lines().count() == 1, outcome::err);
    }

    @Test
    void badFiles_areRefusedInOneLine() throws IOException {
        byte[] good = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(good, good.length - 1));
        refused("the file ends inside it");
        byte[] flipped = good.clone();
        flipped[good.length / 2] ^= 1;
        Files.write(file, flipped);
        refused("checksum is wrong");
        Files.writeString(file, "some text that is no snapshot");
        refused("block at offset 0");
        Files.write(file, new byte[0]);
        refused("block at offset 0");
        Files.delete(file);
        refused("no such file");
        Files.createDirectory(file);
        refused("could not be read");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --json                         | name the file of a snapshot
        file --largest=-1              | --largest=-1 is outside of 0..1048576
        file --largest=many            | --largest
        file --map=map.jpg             | --map=map.jpg does not end with .png
        file --map=no/such/folder/m.png | is in a folder that does not exist
        file --unknown                 | --unknown
        file other                     | other
        /dev/null                      | /dev/null is not a regular file
        file plan 1x1                  | precedes plan
        --json plan 1x1                | --json precedes plan
        --quiet plan 1x1               | --quiet precedes plan
        --map=map.png plan 1x1         | --map precedes plan
        """)
    void options_wrong_exitWithTwoAndNameTheValue(String arguments, String message) {
        Outcome outcome = run(arguments.replace("file", file.toString()).split(" "));
        assertEquals(EXIT_USAGE, outcome.exit(), outcome::err);
        assertTrue(outcome.err().contains(message), outcome::err);
        assertEquals("", outcome.out());
    }

    @Test
    void help_namesOptionsAndPlan() {
        Outcome outcome = run("--help");
        assertEquals(0, outcome.exit());
        for (String word : List.of("--map", "--largest", "--json", "SNAPSHOT", "plan")) {
            assertTrue(outcome.out().contains(word), outcome::out);
        }
    }

    private static Map<?, ?> part(Map<?, ?> object, String name) {
        return (Map<?, ?>) Objects.requireNonNull(object.get(name), name);
    }

    private static List<?> list(Map<?, ?> object, String name) {
        return (List<?>) Objects.requireNonNull(object.get(name), name);
    }

    private static long number(Map<?, ?> object, String name) {
        return ((Number) Objects.requireNonNull(object.get(name), name)).longValue();
    }
}
