package io.teff.test.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.store.StoreKind;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command lines: wrong ones are explained in two lines, right ones leave their results. */
@Tag("processes")
final class BenchCommandTest {
    private static final long MINUTES_MAX = 2;

    @TempDir
    private Path folder;

    /** How a command line ended. */
    private record Result(int exitCode, String output, String errors) {}

    private static Result run(String... arguments) {
        StringWriter output = new StringWriter();
        StringWriter errors = new StringWriter();
        CommandLine command = BenchCommand.commandLine().setOut(new PrintWriter(output))
            .setErr(new PrintWriter(errors));
        int exitCode = command.execute(arguments);
        return new Result(exitCode, output.toString(), errors.toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--threads 3                       | --threads=3 is neither 1 nor 2",
        "--rounds 0                        | --rounds=0 is less than 1",
        "--measure-ms 0                    | --measure-ms=0 is less than 1",
        "--rate 0                          | --rate=0 is less than 1",
        "--latency-ms -1                   | --latency-ms=-1 is negative",
        "--memory-per-entry 0              | --memory-per-entry=0 is less than 1",
        "--entries 1000,999                | --entries=999 is less than 1000",
        "--entries many                    | 'many' is not an int",
        "--values 16,abc                   | --values=abc: neither a length as in 32 nor a range as in 16-128",
        "--values 16-300                   | --values=16-300: lengths=16..300 are outside of 8..256",
        "--values 16-32 --stores gather    | --values=16-32 leaves no store: gather is for one length",
        "--stores teff,redis               | 'redis' is no store; there are [teff, teff-plain, teff-map, chm,",
        "--nonsense                        | Unknown option: '--nonsense'",
        "turnover --chunks 999             | --chunks=999 must be at least 1000, --turns=10 and",
        "turnover --turns 0                | --turns=0 and --rate=1000000 at least 1",
        "turnover --rate 0                 | --rate=0 at least 1",
        "turnover --gets-ms 0              | --gets-ms=0 and --settle-ms=10000 must be at least 1",
        "turnover --settle-ms 0            | --settle-ms=0 must be at least 1",
        "turnover --chunks some            | 'some' is not an int",
        "collections --entries 999         | --entries=999 is less than 1000",
        "collections --entries many        | 'many' is not an int",
        "collections --rounds 0            | --rounds=0 is less than 1",
        "collections --measure-ms 0        | --measure-ms=0 is less than 1",
        "collections --warm-up-ms 0        | --warm-up-ms=0 is less than 1",
        "collections --rate 0              | --rate=0 is less than 1",
        "collections --memory-per-entry 0  | --memory-per-entry=0 is less than 1",
        "collections --only redis          | --only=redis is found in no name; there are [map-teff-long,",
        "collections --only [a             | --only=[a is no regular expression: Unclosed character class",
        "collections --nonsense            | Unknown option: '--nonsense'",
        "disk --file-mib 9                 | --file-mib=9 is no multiple of 8",
        "disk --rounds 0                   | --rounds=0 is less than 1",
        "disk --measure-ms 0               | --measure-ms=0 is less than 1",
        "disk --methods splice             | --methods=splice is found in no name; there are [channel-heap,",
        "disk --folder /proc/nowhere       | --folder=/proc/nowhere: ",
        "durable --entries 999             | --entries=999 is less than 1000",
        "durable --rounds 0                | --rounds=0 is less than 1",
        "durable --measure-ms 0            | --measure-ms=0 is less than 1",
        "durable --seconds 0               | --seconds=0 is less than 1",
        "durable --stores redis            | --stores=redis is found in no name; there are [teff, rocksdb, lmdb,",
        "durable --shapes round            | --shapes=round is found in no name; there are [synced, logged, space,",
        "durable --shapes [a               | --shapes=[a is no regular expression: Unclosed character class",
        "durable --folder /proc/nowhere    | --folder=/proc/nowhere: ",
        "attack --attacks ddos             | --attacks=ddos is found in no name; there are [greeting-length,",
        "attack --cuts 0                   | --cuts=0 is less than 1",
        "attack --pairs 0                  | --pairs=0 is less than 1",
        "attack --rate 0                   | --rate=0 is less than 1",
        "attack --measure-ms 0             | --measure-ms=0 is less than 1",
        "scaling 1                         | CHUNKS=1 must be at least 2",
        "scaling 1000 0                    | ROUNDS=0 at least 1",
    })
    void run_wrongValues_isExplainedInTwoLines(String arguments, String message) throws IOException {
        Path out = folder.resolve("out");
        boolean comparison = arguments.matches("(--|collections |disk |durable |attack ).*");
        Result result = run((arguments + (comparison ? " --out " + out : "")).split(" +"));
        assertEquals(2, result.exitCode());
        List<String> lines = result.errors().lines().toList();
        assertEquals(2, lines.size(), result::errors);
        assertTrue(lines.getFirst().startsWith("./teff bench") && lines.getFirst().contains(message), result::errors);
        assertTrue(lines.getLast().matches("Try './teff bench[ a-z]* --help'\\."), result::errors);
        assertEquals("", result.output());
        assertFalse(Files.exists(out), "nothing was begun");
    }

    @Test
    void run_folderThatIsAFile_isExplained() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        Result result = run("--stores", "chm", "--out", file.toString());
        assertEquals(2, result.exitCode());
        assertTrue(result.errors().contains("--out=" + file + " is no folder and cannot be made"), result::errors);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", "turnover --help", "scaling --help",
        "collections --help", "disk --help", "durable --help", "attack --help"})
    void run_help_showsTheUsage(String arguments) {
        Result result = run(arguments.split(" "));
        assertEquals(0, result.exitCode());
        assertEquals("", result.errors());
        String name = arguments.startsWith("-") ? "" : " " + arguments.split(" ")[0];
        assertTrue(result.output().startsWith("Usage: ./teff bench" + name + " [-h"), result::output);
        assertFalse(result.output().matches("(?s).*Measures one (store|structure|way)[^;]*; started.*"),
            result::output);
    }

    @Test
    @FullTier("Tiny runs of three stores, one of the tests with runs, which take most of the 379 s of this "
        + "lane. TableReportTest, ComparisonTest and ChartTest have the files that they leave.")
    void run_tinyComparison_writesTableAndJsonAndPictures() throws IOException {
        Result result = run("--stores", "teff,fastutil,teff", "--entries", "2000", "--values", "16-64", "--rounds", "2",
            "--threads", "1", "--measure-ms", "3", "--latency-ms", "20", "--rate", "20000", "--out", "" + folder);
        assertEquals(0, result.exitCode(), result::errors);
        String other = StoreKind.FASTUTIL.title();
        assertEquals(List.of("1 Teff", "1 " + other, "2 Teff", "2 " + other),
            result.errors().lines().map(line -> line.replaceAll(
                "round ([12]) of 2, 2,000 entries of 16-64 B: (.*) \\.\\.\\. done, \\d+ s", "$1 $2")).toList());
        String table = Files.readString(folder.resolve("table.txt"));
        assertEquals(table.strip(), result.output().strip());
        assertTrue(table.startsWith("machine: ") && table.contains("\ncommit: ")
            && table.contains("\nflags of Teff: --enable-native-access=ALL-UNNAMED\nflags of fastutil")
            && table.contains("\n2,000 entries of 16-64 B, median of 2 rounds\n")
            && table.contains("\nTeff's figure divided by the store's, median of the rounds, 1 thread\n"), table);
        Map<String, Object> document = JSON.std.mapFrom(Files.readString(folder.resolve("result.json")));
        Map<?, ?> one = (Map<?, ?>) ((List<?>) document.get("comparisons")).getFirst();
        Map<?, ?> stores = (Map<?, ?>) one.get("figures");
        assertEquals(Set.of("teff", "fastutil"), stores.keySet());
        stores.forEach((id, figures) -> {
            Map<?, ?> get = (Map<?, ?>) ((Map<?, ?>) figures).get("get/1");
            assertEquals(Set.of("median", "spread", "rounds"), get.keySet(), id::toString);
            assertEquals(2, ((List<?>) get.get("rounds")).size(), id::toString);
        });
        for (String picture : List.of("2000x16-64-threads-1.png", "2000x16-64-bytes.png")) {
            assertNotNull(ImageIO.read(folder.resolve(picture).toFile()), picture);
        }
    }

    @Test
    @FullTier("Tiny runs of structures, one of the tests with runs, which take most of the 379 s of this lane. "
        + "CollectionFiguresTest has the figures and their files.")
    void run_tinyCollections_writesTableAndJson() throws IOException {
        Result result = run("collections", "--only", "^map-(teff-long|chronicle)$|^growth-chm", "--entries", "1000",
            "--rounds", "1", "--measure-ms", "3", "--warm-up-ms", "1", "--rate", "1000000", "--out", "" + folder,
            "--json");
        assertEquals(0, result.exitCode(), result::errors);
        assertEquals(List.of("map-teff-long", "map-chronicle", "growth-chm"), result.errors().lines()
            .map(line -> line.replaceAll("round 1 of 1, 1,000 entries: (.*) \\.\\.\\. done, \\d+ s", "$1")).toList());
        assertEquals(Files.readString(folder.resolve("collections.json")).strip(), result.output().strip());
        Map<String, Object> document = JSON.std.mapFrom(result.output());
        Map<?, ?> figures = (Map<?, ?>) document.get("figures");
        assertEquals(Set.of("map-teff-long", "map-chronicle", "growth-chm"), figures.keySet());
        for (String figure : List.of("fill", "get", "put", "compute", "keys", "entries", "remove")) {
            double rate = (Double) ((Map<?, ?>) ((Map<?, ?>) figures.get("map-chronicle")).get(figure)).get("median");
            assertTrue(rate > 0, () -> figure + " is " + rate);
        }
        String table = Files.readString(folder.resolve("collections.txt"));
        assertTrue(table.startsWith("machine: ") && table.contains("\nmap get / Chronicle Map  "), table);
    }

    @Test
    @FullTier("Files are written in two ways, one of the tests with runs, which take most of the 379 s of this "
        + "lane. DiskFiguresTest has the figures, and RealFolderTest has what is left.")
    void run_tinyDisk_writesTableAndJsonAndLeavesNothingElse() throws IOException {
        Path out = folder.resolve("out");
        Path parent = Path.of("target/disk-test");
        Result result = run("disk", "--file-mib", "8", "--rounds", "1", "--measure-ms", "1", "--methods",
            Form.isLong() ? "." : "^(pwrite|mapped)$", "--folder", "" + parent, "--out", "" + out, "--json");
        assertEquals(0, result.exitCode(), result::errors);
        assertEquals(Files.readString(out.resolve("disk.json")).strip(), result.output().strip());
        Map<String, Object> document = JSON.std.mapFrom(result.output());
        int count = ((Map<?, ?>) document.get("figures")).size() + ((Map<?, ?>) document.get("leftOut")).size();
        assertEquals(result.errors().lines().count() + ((Map<?, ?>) document.get("leftOut")).size(), count);
        assertEquals(Form.size(2, 9), count);
        assertTrue(Files.readString(out.resolve("disk.txt")).contains("\npwrite  "));
        try (Stream<Path> left = Files.list(parent)) {
            assertEquals(List.of(), left.toList());
        }
    }

    /** The stores that need flags, in all processes of a restart. */
    @Test
    @FullTier("Two durable stores in processes that are killed, one of the tests with runs, which take most of "
        + "the 379 s of this lane. DurableFiguresTest has the figures.")
    void run_tinyDurable_writesTableAndJsonAndLeavesNothingElse() throws IOException {
        Path out = folder.resolve("out");
        Path parent = Path.of("target/durable-test");
        String shapes = Form.isLong() ? "synced|restart" : "restart";
        List<String> stores = Form.isLong() ? List.of("teff", "lmdb", "chronicle") : List.of("teff", "lmdb");
        Result result = run("durable", "--stores", String.join("|", stores), "--shapes", shapes, "--entries", "1000",
            "--rounds", "1", "--measure-ms", "20", "--seconds", "60", "--folder", "" + parent, "--out",
            "" + out);
        assertEquals(0, result.exitCode(), result::errors);
        List<String> synced = Form.isLong() ? List.of("teff synced", "lmdb synced") : List.of();
        assertEquals(Stream.concat(synced.stream(), stores.stream().map(store -> store + " restart")).toList(),
            result.errors().lines().map(line -> line.replaceAll(
                "round 1 of 1, 1,000 entries: (.*) \\.\\.\\. done, \\d+ s", "$1")).toList());
        assertEquals(Files.readString(out.resolve("durable.txt")).strip(), result.output().strip());
        Map<String, Object> document = JSON.std.mapFrom(Files.readString(out.resolve("durable.json")));
        Map<?, ?> figures = (Map<?, ?>) document.get("figures");
        assertEquals(Set.copyOf(stores), figures.keySet());
        for (String figure : List.of(Form.isLong() ? "synced 64/s" : "all", "killed all", "plain/opened")) {
            double value = (Double) ((Map<?, ?>) ((Map<?, ?>) figures.get(stores.get(1))).get(figure)).get("median");
            assertTrue(value > 0, () -> figure + " is " + value);
        }
        try (Stream<Path> left = Files.list(parent)) {
            assertEquals(List.of(), left.toList());
        }
    }

    /** In a JVM in between, because the measuring one writes to the output that it inherits. */
    @Test
    @FullTier("A process with a tiny run, one of the tests with runs, which take most of the 379 s of this "
        + "lane. run_wrongValues_isExplainedInTwoLines and run_help_showsTheUsage have its command line.")
    void main_tinyTurnover_endsWellAndHasEveryFigure() throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        Path errors = folder.resolve("errors");
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
            System.getProperty("java.class.path"), BenchCommand.class.getName(), "turnover", "--chunks", "20000",
            "--turns", "1", "--rate", "1000000", "--gets-ms", "50", "--settle-ms", "100", "--json")
            .redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
        if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertEquals(0, process.waitFor(), () -> text(errors));
        Map<String, Object> figures = JSON.std.mapFrom(Files.readString(output));
        assertEquals(turnoverFigures(), List.copyOf(figures.keySet()));
        for (String name : List.of("turnover live/committed, each", "turnover payload/committed, each")) {
            double share = (Double) ((List<?>) figures.get(name)).getFirst();
            assertTrue(share > 0 && share <= 1, () -> name + " is " + share);
        }
        for (String name : List.of("growth p50 us", "growth max us", "turnover M removes/s", "turnover M creates/s",
            "free p50 us", "mass remove s", "mass remove payload MiB", "mass remove table MiB",
            "defragmentation gets beside/alone", "gets alone p50 us")) {
            assertTrue((Double) figures.get(name) > 0, () -> name + " is " + figures.get(name));
        }
    }

    private static List<String> turnoverFigures() {
        List<String> names = new ArrayList<>(List.of("machine"));
        addPercentiles(names, "idle");
        addPercentiles(names, "growth");
        names.addAll(List.of("turnover live/committed, each", "turnover payload/committed, each",
            "turnover worst (RSS - 64 MiB)/live", "turnover worst (RSS - 64 MiB)/payload", "turnover M removes/s",
            "turnover M creates/s"));
        addPercentiles(names, "free");
        names.addAll(List.of("mass remove s", "mass remove settled after s", "mass remove RSS MiB",
            "mass remove payload MiB", "mass remove table MiB", "mass remove RSS/(payload + table)",
            "mass remove RSS/payload", "defragmentation moved chunks", "defragmentation s",
            "defragmentation gets beside/alone"));
        addPercentiles(names, "gets alone");
        addPercentiles(names, "gets beside a busy thread");
        addPercentiles(names, "gets beside");
        return names;
    }

    private static void addPercentiles(List<String> names, String what) {
        for (String percentile : List.of("p50", "p99", "p99.9", "p99.99", "max")) {
            names.add(what + " " + percentile + " us");
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
