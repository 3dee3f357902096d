package io.teff.test.rules.tour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.test.kit.ChildProcess;
import io.teff.test.rules.Repository;
import io.teff.test.rules.tour.Tour.Program;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every program in the README compiles, runs without a flag or a warning, and prints what the README says. */
@Tag("processes")
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
        TourRun.check(program, folder, productClassPath(), List.of());
    }

    /** The class path a user would have: the products and what they need, without any test library. */
    private static String productClassPath() {
        return Arrays.stream(ChildProcess.classPath().split(File.pathSeparator))
                .filter(entry -> entry.matches(".*[/\\\\](engine|recovery|cluster[/\\\\]net|nio)[/\\\\]target[/\\\\].*"
                        + "|.*[/\\\\]jctools-[^/\\\\]*jar"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
