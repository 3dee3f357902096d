package io.teff.test.suite.tour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.suite.ChildProcess;
import io.teff.test.suite.ChildProcess.Result;
import io.teff.test.suite.Repository;
import io.teff.test.suite.tour.Tour.Program;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Every program in the README compiles, runs without a flag or a warning, and prints what the README says. */
final class ReadmeTourTest {
    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> readme_everyProgram_runs() {
        List<Program> programs = Tour.programs(Repository.read(Path.of("README.md")));
        assertFalse(programs.isEmpty(), "the README has no tour");
        return programs.stream()
                .map(program -> DynamicTest.dynamicTest(program.className(), () -> runAndCompare(program)));
    }

    @Test
    void programs_ofAPage_areFoundWithTheirOutput() {
        String page = """
                <!-- tour -->
                ```java
                void main() {}
                ```
                ```java
                class NotMarked {}
                ```
                <!-- tour -->
                ```java
                public final class Named {}
                ```
                so:
                <!-- tour output -->
                ```
                text
                ```
                """;
        assertEquals(
                List.of(new Program("Tour1", "void main() {}\n", null),
                        new Program("Named", "public final class Named {}\n", "text\n")),
                Tour.programs(page));
    }

    @Test
    void program_thatDoesNotCompile_isCaught() {
        assertThrows(AssertionError.class, () -> runAndCompare(new Program("A", "class A { int a = \"\"; }", null)));
    }

    @Test
    void program_thatFailsOrPrintsSomethingElse_isCaught() {
        String failing = "void main() { throw new IllegalStateException(); }";
        assertThrows(AssertionError.class, () -> runAndCompare(new Program("B", failing, null)));
        String printing = "void main() { IO.println(\"this\"); }";
        assertThrows(AssertionError.class, () -> runAndCompare(new Program("C", printing, "that\n")));
        String complaining = "void main() { System.err.println(\"WARNING: \"); }";
        assertThrows(AssertionError.class, () -> runAndCompare(new Program("D", complaining, null)));
    }

    private void runAndCompare(Program program) throws Exception {
        Path home = Files.createDirectories(folder.resolve(program.className()));
        Path source = Files.writeString(home.resolve(program.className() + ".java"), program.source());
        StringWriter messages = new StringWriter();
        boolean compiled = ToolProvider.getSystemJavaCompiler().getTask(
                messages, null, null,
                List.of("-Xlint:all,-path", "-Werror", "-proc:none", "-cp", productClassPath(), "-d", home.toString()),
                null,
                ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, null, null)
                        .getJavaFileObjects(source)).call();
        assertTrue(compiled, () -> program.className() + " does not compile:\n" + messages);
        String classPath = home + File.pathSeparator + productClassPath();
        Result result = ChildProcess.java(home, "-cp", classPath, program.className());
        assertEquals(0, result.exitCode(), result.errors());
        assertEquals("", result.errors(), "a program of the tour prints no warning");
        if (program.output() != null) {
            assertEquals(program.output(), result.output());
        }
    }

    /** The class path a user would have: the products, without any test library. */
    private static String productClassPath() {
        return Arrays.stream(ChildProcess.classPath().split(File.pathSeparator))
                .filter(entry -> entry.matches(".*[/\\\\](engine|recovery)[/\\\\]target[/\\\\].*"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
