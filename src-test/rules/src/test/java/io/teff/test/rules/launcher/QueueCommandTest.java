package io.teff.test.rules.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.ChildProcess.Result;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the gate's queue runs the unit tests of what was built, and a failure ends the run red. Method: the launcher in
 * a repository of a few modules; a script stands in place of Maven, and prints that it has written a class path.
 */
@Tag("processes")
final class QueueCommandTest {
    private static final String CLASS = """
        import org.junit.jupiter.api.*;
        final class %sTest {
            @Test void one() { %s }
            @Test void two() { }
            @Test @Tag("%s") void above() { throw new AssertionError(); }
        }
        """;
    private static final String GREEN = "Assertions.assertTrue(true);";
    private static final String RED = "Assertions.assertTrue(false, \"this is the reason\");";

    @TempDir
    private static Path folder;

    private static TwoModules repository;

    @BeforeAll
    static void makeARepository() throws IOException {
        repository = TwoModules.in(folder);
        repository.write("pom.xml", "<project><modules><module>engine</module><module>src-test/sim</module>"
            + "<module>src-test/kit</module></modules><properties><teff.plain.sizes>-Da=b</teff.plain.sizes>"
            + "</properties></project>");
        repository.write("src-test/kit/pom.xml",
            "<project><artifactId>teff-kit</artifactId><name>Teff Kit</name></project>");
        repository.write("src-test/launcher/slow.txt", "");
    }

    /** Returns a script that builds the module engine with one class of tests. */
    private static String built(String name, String body) throws IOException {
        Path source = repository.write("built/" + name + "Test.java", String.format(CLASS, name, body, "full"));
        Path classes = Files.createDirectories(folder.resolve("built/" + name));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            assertTrue(compiler.getTask(null, files, null, List.of("-d", classes.toString(), "-cp",
                ChildProcess.classPath()), null, files.getJavaFileObjects(source)).call());
        }
        String target = folder.resolve("engine/target").toString();
        Path libraries = repository.write("built/libraries.txt", ChildProcess.classPath());
        return "rm -rf " + target + "/test-classes\nmkdir -p " + target + " src-test/kit/target\ncp -r " + classes + " "
            + target + "/test-classes\ncp " + libraries + " " + target + "/fast-classpath.txt\ncp " + libraries
            + " src-test/kit/target/fast-classpath.txt\n"
            + wrote("engine") + wrote("src-test/kit") + "sleep 1\n" + TwoModules.GOOD;
    }

    private static String wrote(String module) {
        return "echo \"[INFO] Wrote classpath file '" + folder.resolve(module) + File.separator
            + "target/fast-classpath.txt'.\"\n";
    }

    @Test
    void greenClass_isCountedForTheLaneUnit_withoutTestsOfOtherTiers() throws Exception {
        Result result = repository.test(built("Green", GREEN));
        assertEquals(0, result.exitCode(), () -> result.output() + result.errors());
        TwoModules.assertLine(result, "unit: GreenTest, 2 tests, .*");
        TwoModules.assertLine(result, "lane unit +passed +2 tests +0 failed .*");
    }

    @Test
    void failure_isPrintedWithItsReasonAndACommand_andEndsTheRunRed() throws Exception {
        Result result = repository.test(built("Red", RED));
        assertEquals(1, result.exitCode(), () -> result.output() + result.errors());
        assertTrue(result.output().contains("this is the reason"), result.output());
        TwoModules.assertLine(result, " +reproduce: ./teff test --fast RedTest");
        TwoModules.assertLine(result, "lane unit +FAILED +2 tests +1 failed .*");
    }

    @Test
    void classThatEndsItsJvm_hasFailed() throws Exception {
        Result result = repository.test(built("Fatal", "Runtime.getRuntime().halt(3);"));
        assertEquals(1, result.exitCode(), () -> result.output() + result.errors());
        TwoModules.assertLine(result, "FAILED FatalTest: its JVM has ended.*");
        TwoModules.assertLine(result, "lane unit +FAILED .*");
    }

    @Test
    void testsOfAModuleThatWasNotBuilt_areNotRun() throws Exception {
        Result result = repository.test(built("Green", GREEN).replace(wrote("engine"), ""));
        assertFalse(result.output().contains("GreenTest"), result.output());
        TwoModules.assertLine(result, "lane unit +EMPTY .*");
    }
}
