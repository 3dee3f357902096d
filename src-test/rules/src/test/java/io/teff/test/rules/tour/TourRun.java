package io.teff.test.rules.tour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.rules.tour.Tour.Program;
import java.io.File;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles a program of a page without a warning, runs it, and compares what it prints with what the page says. */
final class TourRun {
    private TourRun() {}

    static void check(Program program, Path folder, String classPath, List<String> flags) throws Exception {
        Path home = Files.createDirectories(folder.resolve(program.className()));
        Path source = Files.writeString(home.resolve(program.className() + ".java"), program.source());
        StringWriter messages = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        boolean compiled = compiler.getTask(
                messages, null, null,
                List.of("-Xlint:all,-path", "-Werror", "-proc:none", "-cp", classPath, "-d", home.toString()),
                null,
                compiler.getStandardFileManager(null, null, null).getJavaFileObjects(source)).call();
        assertTrue(compiled, () -> program.className() + " does not compile:\n" + messages);
        List<String> arguments = new ArrayList<>(flags);
        arguments.addAll(List.of("-cp", home + File.pathSeparator + classPath, program.className()));
        Result result = ChildProcess.java(home, arguments.toArray(String[]::new));
        assertEquals(0, result.exitCode(), result.errors());
        assertEquals("", result.errors(), "a program of the tour prints no warning");
        if (program.output() != null) {
            assertEquals(program.output(), result.output());
        }
    }
}
