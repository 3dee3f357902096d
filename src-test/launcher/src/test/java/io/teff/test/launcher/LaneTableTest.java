package io.teff.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: one line per lane reports its result. Method: summaries of Maven and reports of its test runner. */
final class LaneTableTest {
    @TempDir
    private Path root;

    private Module module(String folder, String name) throws IOException {
        Path pom = Files.createDirectories(root.resolve(folder)).resolve("pom.xml");
        return new Module(folder, "teff-" + folder, name, pom, List.of(), List.of(), List.of(), List.of(), false);
    }

    private Module withSystemTests(Module module) {
        return new Module(module.folder(), module.artifact(), module.name(), module.pom(), List.of(), List.of(),
            List.of(), List.of(root.resolve("src-test/unit"), root.resolve("src-test/system")), false);
    }

    private static void report(Module module, String folder, int tests, int failures, int skipped) throws IOException {
        Path file = Files.createDirectories(module.target().resolve(folder)).resolve("TEST-a.B.xml");
        Files.writeString(file, "<?xml version=\"1.0\"?>\n<testsuite xmlns:x=\"y\" name=\"a.B\" time=\"1.5\" tests=\""
            + tests + "\" errors=\"0\" skipped=\"" + skipped + "\" failures=\"" + failures
            + "\">\n<testcase name=\"c\"/>");
    }

    private static String success(String name) {
        return "[INFO] " + name + " .............................. SUCCESS [ 12.345 s]";
    }

    private static void assertLine(LaneTable table, String lane, String word, int tests, int failed, int skipped) {
        String line = table.lines(Set.of()).stream().filter(text -> text.startsWith("lane " + lane + " ")).findFirst()
            .orElse("");
        assertTrue(line.matches("lane " + lane + " +" + word + " +" + tests + " tests +" + failed + " failed +"
            + skipped + " skipped +[0-9.]+ s"), line);
    }

    @Test
    void reports_ofSeveralModules_areSummed() throws IOException {
        Module engine = module("engine", "Teff Engine");
        Module nio = module("nio", "Teff NIO");
        report(engine, "surefire-reports", 5, 0, 1);
        report(engine, "surefire-reports-heavy", 2, 0, 0);
        report(engine, "surefire-reports-plain", 3, 0, 0);
        report(engine, "surefire-reports-system", 6, 0, 0);
        report(nio, "surefire-reports", 4, 0, 0);
        LaneTable table = new LaneTable(List.of(engine, nio));
        table.line(success("Teff Engine"));
        table.line(success("Teff NIO"));
        table.reports(List.of(engine));
        table.reports(List.of(nio));
        assertLine(table, "unit", "passed", 11, 0, 1);
        assertLine(table, "plain", "passed", 3, 0, 0);
        assertLine(table, "system", "passed", 6, 0, 0);
        assertFalse(table.isRed());
        assertEquals("Tests run: 20, Failures: 0, Errors: 0, Skipped: 1", table.lines(Set.of()).getLast());
    }

    @Test
    void redTestBehindASuccessOfMaven_isRed() throws IOException {
        Module engine = module("engine", "Teff Engine");
        report(engine, "surefire-reports", 5, 1, 0);
        LaneTable table = new LaneTable(List.of(engine));
        table.line(success("Teff Engine"));
        table.reports(List.of(engine));
        assertLine(table, "unit", "FAILED", 5, 1, 0);
        assertTrue(table.isRed());
        assertFalse(table.isGreen(engine));
    }

    @Test
    void jvmWithoutAnEnd_isRed() throws IOException {
        LaneTable table = new LaneTable(List.of(module("engine", "Teff Engine")));
        table.line("[ERROR] There was a timeout or other error in the fork");
        table.line(success("Teff Engine"));
        assertTrue(table.isRed());
    }

    @Test
    void laneWithoutATest_isEmpty() throws IOException {
        LaneTable table = new LaneTable(List.of(module("src-test/sim", "Teff Test Sim")));
        table.line(success("Teff Test Sim"));
        assertLine(table, "sim", "EMPTY", 0, 0, 0);
    }

    @Test
    void laneBehindARedModule_isNotRun() throws IOException {
        Module engine = module("engine", "Teff Engine");
        report(engine, "surefire-reports", 5, 1, 0);
        LaneTable table = new LaneTable(List.of(engine, module("src-test/sim", "Teff Test Sim"),
            module("src-test/jcstress", "Teff Test JCStress")));
        table.line("[INFO] Teff Engine .............................. FAILURE [01:02 min]");
        table.line("[INFO] Teff Test Sim ............................ SKIPPED");
        table.line("[INFO] Teff Test JCStress ....................... SKIPPED");
        table.reports(List.of(engine));
        assertLine(table, "unit", "FAILED", 5, 1, 0);
        assertLine(table, "sim", "NOT RUN", 0, 0, 0);
        assertLine(table, "jcstress", "NOT RUN", 0, 0, 0);
        assertTrue(table.isRed());
        assertFalse(table.isReady("jcstress"));
    }

    @Test
    void failureInTheLaneSystem_countsForItAlone() throws IOException {
        Module engine = withSystemTests(module("engine", "Teff Engine"));
        report(engine, "surefire-reports", 5, 0, 0);
        report(engine, "surefire-reports-system", 3, 1, 0);
        LaneTable table = new LaneTable(List.of(engine));
        table.line("[INFO] Teff Engine .............................. FAILURE [01:02 min]");
        table.reports(List.of(engine));
        assertLine(table, "unit", "passed", 5, 0, 0);
        assertLine(table, "system", "FAILED", 3, 1, 0);
        assertTrue(table.isRed());
    }

    @Test
    void laneSystem_ofAModuleWhoseUnitTestsFail_isNotRun() throws IOException {
        Module engine = withSystemTests(module("engine", "Teff Engine"));
        report(engine, "surefire-reports", 5, 1, 0);
        LaneTable table = new LaneTable(List.of(engine));
        table.line("[INFO] Teff Engine .............................. FAILURE [01:02 min]");
        table.reports(List.of(engine));
        assertLine(table, "unit", "FAILED", 5, 1, 0);
        assertLine(table, "system", "NOT RUN", 0, 0, 0);
    }

    @Test
    void lanesThatWereNotNamed_areLeftOutUnlessTheyHaveTests() throws IOException {
        Module engine = withSystemTests(module("engine", "Teff Engine"));
        report(engine, "surefire-reports-system", 3, 0, 0);
        LaneTable table = new LaneTable(List.of(engine));
        table.line(success("Teff Engine"));
        table.reports(List.of(engine));
        List<String> lines = table.lines(Set.of("system"));
        assertEquals(2, lines.size(), lines::toString);
        assertTrue(lines.getFirst().startsWith("lane system "), lines::toString);
        assertLine(table, "unit", "EMPTY", 0, 0, 0);
    }

    @Test
    void laneOfWhichOneModuleIsLeftOut_isPartlyRun() throws IOException {
        Module engine = module("engine", "Teff Engine");
        report(engine, "surefire-reports", 5, 0, 0);
        LaneTable table = new LaneTable(List.of(engine, module("nio", "Teff NIO")));
        table.line(success("Teff Engine"));
        table.line("[INFO] Teff NIO ................................ SKIPPED");
        table.reports(List.of(engine));
        assertLine(table, "unit", "PARTLY", 5, 0, 0);
    }

    @Test
    void lanesWithARunnerOfTheirOwn_areCountedFromItsLine() throws IOException {
        LaneTable table = new LaneTable(List.of(module("src-test/jcstress", "Teff Test JCStress"),
            module("src-test/soak", "Teff Test Soak")));
        table.line(success("Teff Test JCStress"));
        table.line(success("Teff Test Soak"));
        assertTrue(table.isReady("jcstress"));
        table.line("jcstress: 41 passed, 1 failed (21 tests, 21 weakened twins; details in /x)");
        table.line("soak: passed after 24.1 s");
        table.line("soak: FAILED after 12.0 s");
        table.runner("soak", 36.1, true);
        assertLine(table, "jcstress", "FAILED", 42, 1, 0);
        assertLine(table, "soak", "FAILED", 2, 1, 0);
        assertTrue(table.isRed());
    }
}
