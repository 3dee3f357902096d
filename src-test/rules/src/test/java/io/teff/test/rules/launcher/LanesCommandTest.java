package io.teff.test.rules.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.ChildProcess.Result;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: {@code ./teff test} reports each lane, and its exit code is right. Method: the launcher in a repository of
 * two modules, with a program in place of Maven that prints the end of its output and writes reports.
 */
@Tag("processes")
final class LanesCommandTest {
    private static final String GOOD = TwoModules.GOOD;
    private static final String RED = "echo '[INFO] Teff Engine ............ FAILURE [ 1.000 s]'\n"
        + "echo '[INFO] Teff Test Sim ............ SKIPPED'\n";

    @TempDir
    private static Path folder;

    private static TwoModules repository;

    @BeforeAll
    static void makeARepository() throws IOException {
        repository = TwoModules.in(folder);
    }

    private static String report(String module, int tests, int failures) {
        String target = module + "/target/surefire-reports";
        return "mkdir -p " + target + "\necho '<testsuite name=\"a\" time=\"1.5\" tests=\"" + tests
            + "\" errors=\"0\" skipped=\"0\" failures=\"" + failures + "\">' >" + target + "/TEST-a.xml\n";
    }

    private static Result test(String script, String... arguments) throws IOException, InterruptedException {
        return repository.test(script, arguments);
    }

    private static void assertLine(Result result, String pattern) {
        TwoModules.assertLine(result, pattern);
    }

    @Test
    void greenLanes_areCounted_andTheExitCodeIsZero() throws Exception {
        Result result = test(report("engine", 5, 0) + report("src-test/sim", 2, 0) + GOOD);
        assertEquals(0, result.exitCode(), () -> result.output() + result.errors());
        assertLine(result, "lane unit +passed +5 tests +0 failed +0 skipped .*");
        assertLine(result, "lane sim +passed +2 tests +0 failed +0 skipped .*");
        assertTrue(result.output().strip().endsWith("Tests run: 7, Failures: 0, Errors: 0, Skipped: 0"));
    }

    @Test
    void laneBehindARedModule_isNotRun_andTheExitCodeIsOne() throws Exception {
        Result result = test(report("engine", 5, 1) + RED + "exit 1\n");
        assertEquals(1, result.exitCode(), () -> result.output() + result.errors());
        assertLine(result, "lane unit +FAILED +5 tests +1 failed .*");
        assertLine(result, "lane sim +NOT RUN +0 tests .*");
        assertTrue(result.errors().contains("teff-test.log"), result.errors());
    }

    @Test
    void failedTest_thatMavenWasToldToIgnore_isRedNevertheless() throws Exception {
        Result result = test(report("engine", 5, 1) + report("src-test/sim", 2, 0) + GOOD,
            "-Dmaven.test.failure.ignore=true");
        assertEquals(1, result.exitCode(), () -> result.output() + result.errors());
        assertLine(result, "lane unit +FAILED +5 tests +1 failed .*");
        assertTrue(result.output().contains("-Dmaven.test.failure.ignore=true"), result.output());
    }

    @Test
    void laneWithoutATest_isEmpty() throws Exception {
        Result result = test(report("engine", 5, 0) + GOOD);
        assertLine(result, "lane sim +EMPTY +0 tests .*");
    }

    @Test
    void reportsOfARunBefore_doNotCount() throws Exception {
        repository.write("src-test/sim/target/surefire-reports/TEST-old.xml",
            "<testsuite time=\"1\" tests=\"9\" failures=\"0\">");
        assertLine(test(report("engine", 5, 0) + GOOD), "lane sim +EMPTY +0 tests .*");
    }

    @Test
    void oneLane_isRunAlone() throws Exception {
        Result result = test(report("src-test/sim", 2, 0) + GOOD, "sim");
        assertTrue(result.output().contains("-pl src-test/sim -am -Dteff.unit.skip=true"), result.output());
    }
}
