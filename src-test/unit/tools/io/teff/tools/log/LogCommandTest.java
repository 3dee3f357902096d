package io.teff.tools.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.tools.cli.Teff;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: output and exit codes of the log commands. Method: the golden log, which a process of another boot did not
 * close: undamaged, damaged, and with unfinished tails.
 */
final class LogCommandTest {
    private static final int EXIT_USAGE = 2;
    private static final String SEALED = "segments/0007-00000000-0000000000000000";
    private static final String OPEN = "segments/0007-00000000-0000000000000003";

    @TempDir
    private Path folder;

    private record Outcome(int exit, String out, String err) {}

    private static Outcome run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("log"));
        all.addAll(List.of(arguments));
        return teff(all);
    }

    private static Outcome teff(List<String> all) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Teff.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
            .execute(all.toArray(String[]::new));
        return new Outcome(exit, out.toString(), err.toString());
    }

    private Outcome act(String command, String... options) {
        List<String> all = new ArrayList<>(List.of(command, "--quiet", folder.toString()));
        all.addAll(List.of(options));
        return run(all.toArray(String[]::new));
    }

    @BeforeEach
    void unpackGoldenLog() throws IOException {
        try (InputStream in = LogCommandTest.class.getResourceAsStream("/golden/log-v1.zip");
             ZipInputStream zip = new ZipInputStream(Objects.requireNonNull(in))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = folder.resolve(entry.getName());
                Files.createDirectories(Objects.requireNonNull(file.getParent()));
                Files.copy(zip, file);
            }
        }
    }

    private Map<String, byte[]> files() throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(path).toString(), Files.readAllBytes(path));
            }
        }
        files.remove("lock");
        return files;
    }

    private static void assertSame(Map<String, byte[]> expected, Map<String, byte[]> actual) {
        assertEquals(expected.keySet(), actual.keySet());
        expected.forEach((name, bytes) -> assertTrue(Arrays.equals(bytes, actual.get(name)), name));
    }

    private void damage(String file, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(folder.resolve(file));
        bytes[at] ^= 4;
        Files.write(folder.resolve(file), bytes);
    }

    private void append(String file, String text) throws IOException {
        Files.writeString(folder.resolve(file), text, StandardOpenOption.APPEND);
    }

    private static Map<?, ?> part(Map<?, ?> object, String name) {
        return (Map<?, ?>) Objects.requireNonNull(object.get(name), name);
    }

    private static List<?> list(Map<?, ?> object, String name) {
        return (List<?>) Objects.requireNonNull(object.get(name), name);
    }

    // ---- inspect ----

    @Test
    void inspect_writesEveryPartAndChangesNothing() throws IOException {
        Map<String, byte[]> before = files();
        Outcome outcome = act("inspect");
        assertEquals(0, outcome.exit(), outcome::err);
        for (String expected : List.of("LOG  " + folder, "000000000000004d",
            "not closed; the machine was restarted",
            "boot 00000000-0000-0001-0000-000000000001", "primary", "48.0 KiB",
            "frames     7 from number 4 on, with 50 entries",
            "buffer     3 records with 4 entries", "damage     none", "ZONES", "7:0", "7:2")) {
            assertTrue(outcome.out().contains(expected), () -> expected + " in " + outcome.out());
        }
        assertFalse(outcome.out().contains(SEALED), outcome::out);
        outcome.out().lines().forEach(line ->
            assertTrue(line.length() <= 120 && line.equals(line.stripTrailing()), line));
        Outcome each = act("inspect", "--segments");
        assertTrue(each.out().contains(SEALED) && each.out().contains(OPEN), each::out);
        assertSame(before, files());
    }

    @Test
    void inspect_json_isOneDocument() throws IOException {
        Outcome outcome = act("inspect", "--json");
        assertEquals(0, outcome.exit(), outcome::err);
        assertEquals("", outcome.err());
        Map<?, ?> report = part(JSON.std.mapFrom(outcome.out()), "report");
        assertEquals("POWER_CUT", report.get("ending"));
        assertEquals(3, list(report, "zones").size());
        Map<?, ?> zone = (Map<?, ?>) list(report, "zones").getFirst();
        assertEquals(SEALED, ((Map<?, ?>) list(zone, "segments").getFirst()).get("file"));
        assertTrue(((Number) part(report, "entries").get("puts")).longValue() > 100, outcome::out);
    }

    // ---- verify ----

    @Test
    void verify_ofAGoodLog_exitsWithZero() throws IOException {
        Map<String, byte[]> before = files();
        Outcome outcome = act("verify");
        assertEquals(0, outcome.exit(), outcome::err);
        assertEquals(1, outcome.out().lines().count());
        assertTrue(outcome.out().contains("6 segments") && outcome.out().contains("nothing is damaged"), outcome::out);
        assertSame(before, files());
    }

    @Test
    void verify_ofADamagedLog_namesEachPlace() throws IOException {
        damage(SEALED, 4136);
        damage("primary-0", 4096 + 50);
        Outcome outcome = act("verify");
        assertEquals(LogAction.EXIT_DAMAGED, outcome.exit(), outcome::err);
        assertTrue(outcome.out().lines().anyMatch(line -> line.startsWith("damaged  " + SEALED + ", offset ")),
            outcome::out);
        assertTrue(outcome.out().lines().anyMatch(line -> line.startsWith("damaged  primary-")), outcome::out);
        Map<String, Object> json = JSON.std.mapFrom(act("verify", "--json").out());
        assertEquals(2, list(json, "damage").size());
        Map<?, ?> place = (Map<?, ?>) list(json, "damage").getLast();
        assertEquals(SEALED, place.get("file"));
        assertTrue(((Number) Objects.requireNonNull(place.get("offset"))).longValue() <= 4136, place::toString);
        assertTrue(act("inspect").out().contains("damage     2 places"));
    }

    @Test
    void anyCommand_withoutAManifest_namesTheDamage() throws IOException {
        damage("manifest-1", 20);
        for (String command : List.of("inspect", "verify")) {
            Outcome outcome = act(command);
            assertEquals(LogAction.EXIT_DAMAGED, outcome.exit(), outcome::out);
            assertTrue(outcome.out().startsWith("damaged  manifest-1, offset 0"), outcome::out);
            assertTrue(outcome.err().contains("no manifest can be read"), outcome::err);
        }
        Files.delete(folder.resolve("manifest-1"));
        assertEquals(LogAction.EXIT_DAMAGED, act("repair", "--cut-tail").exit());
    }

    // ---- repair ----

    @Test
    void repair_ofUnfinishedTails_cutsAndKeepsThem() throws IOException {
        Map<String, byte[]> before = files();
        append("manifest-1", "half a record");
        append(OPEN, "half a block");
        Outcome verified = act("verify");
        assertEquals(0, verified.exit(), verified::err);
        assertTrue(verified.out().contains("unfinished  manifest-1, offset " + Objects.requireNonNull(
            before.get("manifest-1")).length + ", 13 bytes"), verified::out);
        Outcome outcome = act("repair", "--cut-tail");
        assertEquals(0, outcome.exit(), outcome::err);
        assertEquals(2, outcome.out().lines().count(), outcome::out);
        assertTrue(outcome.out().contains("cut  " + OPEN + " at offset 16384: 12 bytes, kept as segments/cut-"),
            outcome::out);
        Map<String, byte[]> after = files();
        assertEquals("half a record", new String(Objects.requireNonNull(after.remove("cut-manifest-1-0")),
            StandardCharsets.UTF_8));
        assertEquals("half a block", new String(Objects.requireNonNull(
            after.remove(OPEN.replace("segments/", "segments/cut-") + "-0")), StandardCharsets.UTF_8));
        assertSame(before, after);
        Outcome again = act("repair", "--cut-tail");
        assertEquals(LogAction.EXIT_FAILED, again.exit());
        assertTrue(again.err().contains("nothing was changed"), again::err);
    }

    @Test
    void repair_ofADamagedLog_isRefused() throws IOException {
        append("manifest-1", "half a record");
        damage(SEALED, 4136);
        Map<String, byte[]> before = files();
        Outcome outcome = act("repair", "--cut-tail");
        assertEquals(LogAction.EXIT_DAMAGED, outcome.exit(), outcome::out);
        assertTrue(outcome.err().contains("nothing was changed"), outcome::err);
        assertTrue(outcome.out().contains(SEALED), outcome::out);
        assertSame(before, files());
    }

    @Test
    void repair_ofALostManifest_makesItAnew() throws IOException {
        Outcome complete = act("repair", "--rebuild");
        assertEquals(LogAction.EXIT_FAILED, complete.exit());
        assertTrue(complete.err().contains("the manifest is complete"), complete::err);
        Files.write(folder.resolve("manifest-1"), new byte[10]);
        assertEquals(LogAction.EXIT_DAMAGED, act("verify").exit());
        Outcome outcome = act("repair", "--rebuild");
        assertEquals(0, outcome.exit(), outcome::err);
        assertTrue(outcome.out().contains("kept  cut-manifest-1-0"), outcome::out);
        assertTrue(outcome.out().contains("made  manifest-1: "), outcome::out);
        assertEquals(0, act("verify").exit());
    }

    /** The golden log was packed and unpacked, and has no mark of its own file, so it is no known copy. */
    @Test
    void repair_adopt_changesWhatIsKnownToBeACopy() throws IOException {
        Outcome outcome = act("repair", "--adopt");
        assertEquals(LogAction.EXIT_FAILED, outcome.exit());
        assertTrue(outcome.err().contains("not known to be a copy"), outcome::err);
        assertEquals(false, JSON.std.mapFrom(act("repair", "--adopt", "--json").out()).get("adopted"));
    }

    // ---- backup ----

    private Outcome backup(String... arguments) {
        List<String> all = new ArrayList<>(List.of("backup", "--quiet"));
        all.addAll(List.of(arguments));
        return teff(all);
    }

    @Test
    void backup_ofALog_isALogWithTheSameEntries(@TempDir Path targets) throws IOException {
        Map<String, byte[]> before = files();
        Path target = targets.resolve("monday");
        Outcome outcome = backup(folder.toString(), target.toString());
        assertEquals(0, outcome.exit(), outcome::err);
        assertTrue(outcome.out().startsWith(target + ": 6 segments, "), outcome::out);
        assertSame(before, files());
        assertEquals(0, run("verify", "--quiet", target.toString()).exit());
        Outcome again = backup(folder.toString(), target.toString());
        assertEquals(LogAction.EXIT_FAILED, again.exit());
        assertTrue(again.err().startsWith("./teff backup: target=" + target + " exists already"), again::err);
        Map<?, ?> json = JSON.std.mapFrom(backup("--json", folder.toString(), targets.resolve("b").toString()).out());
        assertEquals(6, ((Number) Objects.requireNonNull(json.get("segments"))).intValue());
        assertEquals(Set.of("folder", "target", "seconds", "segments", "bytes", "linkedBytes"), json.keySet());
    }

    @Test
    void backup_thatCannotBeMade_saysWhy(@TempDir Path targets) throws IOException {
        Path target = targets.resolve("monday");
        Outcome none = backup(targets.toString(), target.toString());
        assertTrue(none.exit() == LogAction.EXIT_FAILED && none.err().contains("there is no log in " + targets),
            none::err);
        Path lock = Files.writeString(folder.resolve("lock"), "process 1234 of a test");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
             FileLock held = channel.lock(Long.MAX_VALUE - 1, 1, false)) {
            assertTrue(held.isValid());
            Outcome open = backup(folder.toString(), target.toString());
            assertTrue(open.exit() == LogAction.EXIT_FAILED && open.err().contains("process 1234 of a test")
                && open.err().contains("DurableStore.backup"), open::err);
        }
        damage(SEALED, 4160);
        Outcome damaged = backup(folder.toString(), target.toString());
        assertEquals(LogAction.EXIT_DAMAGED, damaged.exit(), damaged::err);
        assertTrue(damaged.out().startsWith("damaged  " + SEALED), damaged::out);
        assertEquals(EXIT_USAGE, backup(folder.toString()).exit());
        try (Stream<Path> left = Files.list(targets)) {
            assertEquals(0, left.count());
        }
    }

    // ---- refusals ----

    @ParameterizedTest
    @ValueSource(strings = {"inspect", "verify", "repair --cut-tail"})
    void anyCommand_withoutALog_exitsWithOneAndLeavesNothing(String command) throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        for (Path place : List.of(empty, folder.resolve("none"), folder.resolve("buffer"))) {
            Outcome outcome = run((command + " " + place).split(" "));
            assertEquals(LogAction.EXIT_FAILED, outcome.exit(), outcome::out);
            assertEquals("", outcome.out());
            assertTrue(outcome.err().contains("there is no log in " + place), outcome::err);
        }
        try (Stream<Path> left = Files.list(empty)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void anyCommand_onAnOpenLog_namesTheProcess() throws IOException {
        Path lock = Files.writeString(folder.resolve("lock"), "process 1234 of a test");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
             FileLock held = channel.lock(Long.MAX_VALUE - 1, 1, false)) {
            assertTrue(held.isValid());
            Outcome outcome = act("verify");
            assertEquals(LogAction.EXIT_FAILED, outcome.exit(), outcome::out);
            assertTrue(outcome.err().contains("locked by process 1234 of a test"), outcome::err);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        inspect           | DIR
        verify a b        | b
        repair a          | --cut-tail
        verify a --unsure | --unsure
        """)
    void options_wrong_exitWithTwoAndNameTheValue(String arguments, String message) {
        Outcome outcome = run(arguments.split(" "));
        assertEquals(EXIT_USAGE, outcome.exit(), outcome::err);
        assertTrue(outcome.err().contains(message), outcome::err);
        assertEquals(EXIT_USAGE, run().exit());
    }

    @Test
    void help_namesCommandsAndOptions() {
        for (String word : List.of("inspect", "verify", "repair")) {
            assertTrue(run("--help").out().contains(word), word);
            assertTrue(run(word, "--help").out().contains("--json"), word);
        }
        assertTrue(run("repair", "--help").out().contains("--cut-tail"));
    }
}
