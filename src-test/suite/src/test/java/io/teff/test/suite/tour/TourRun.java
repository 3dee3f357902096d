package io.teff.test.suite.tour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.suite.ChildProcess;
import io.teff.test.suite.ChildProcess.Result;
import io.teff.test.suite.Repository;
import io.teff.test.suite.tour.Tour.Program;

import org.junit.jupiter.api.DynamicTest;

import java.io.File;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Compiles and runs the programs of a page in a folder, with those parts of this test's class path that a user has. */
record TourRun(Path folder, String classPath) {
    /** Takes the entries of the class path that match a regular expression. */
    static TourRun with(Path folder, String entries) {
        return new TourRun(folder, Arrays.stream(ChildProcess.classPath().split(File.pathSeparator))
                .filter(entry -> entry.matches(entries))
                .collect(Collectors.joining(File.pathSeparator)));
    }

    /** One test for each program of a page. */
    Stream<DynamicTest> programsOf(String page) {
        List<Program> programs = Tour.programs(Repository.read(Path.of(page)));
        assertFalse(programs.isEmpty(), page + " has no tour");
        return programs.stream()
                .map(program -> DynamicTest.dynamicTest(program.className(), () -> runAndCompare(program)));
    }

    void runAndCompare(Program program) throws Exception {
        Path home = Files.createDirectories(folder.resolve(program.className()));
        Path source = Files.writeString(home.resolve(program.className() + ".java"), program.source());
        StringWriter messages = new StringWriter();
        boolean compiled = ToolProvider.getSystemJavaCompiler().getTask(
                messages, null, null,
                List.of("-Xlint:all,-path", "-Werror", "-proc:none", "-cp", classPath, "-d", home.toString()),
                null,
                ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, null, null)
                        .getJavaFileObjects(source)).call();
        assertTrue(compiled, () -> program.className() + " does not compile:\n" + messages);
        Result result = ChildProcess.java(home, "-cp", home + File.pathSeparator + classPath, program.className());
        assertEquals(0, result.exitCode(), result.errors());
        assertEquals("", result.errors(), "a program of the tour prints no warning");
        if (program.output() != null) {
            assertEquals(program.output(), result.output());
        }
    }
}
