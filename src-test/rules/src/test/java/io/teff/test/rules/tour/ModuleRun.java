package io.teff.test.rules.tour;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.teff.test.kit.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** A program of a page, compiled without a warning as a named module on the module path. */
final class ModuleRun {
    private final ModuleProgram program;
    private final Path home;

    private ModuleRun(ModuleProgram program, Path home) {
        this.program = program;
        this.home = home;
    }

    /** Compiles a program, and fails with the page, the program and the words of the compiler. */
    static ModuleRun compile(ModuleProgram program, Path folder) throws IOException {
        assertFalse(program.requires().isEmpty(), () -> program.name() + ": the page says no module that the program "
            + "`requires` in front of the program");
        assumeFalse(ModulePath.products().isEmpty(), "the products were built without descriptors");
        Path home = Files.createDirectories(folder.resolve(program.name().replaceAll("\\W", "_")));
        Path descriptor = Files.writeString(home.resolve("module-info.java"), program.descriptor());
        Path source = Files.writeString(home.resolve(ModuleProgram.CLASS + ".java"), program.asClass());
        StringWriter messages = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        boolean isCompiled = compiler.getTask(messages, null, null,
            List.of("-Xlint:all,-path", "-Werror", "-proc:none", "--module-path", ModulePath.text(), "-d",
                home.toString()), null,
            compiler.getStandardFileManager(null, null, null).getJavaFileObjects(descriptor, source)).call();
        assertTrue(isCompiled, () -> program.name() + " does not compile as a named module:\n" + messages + "\n"
            + program.descriptor() + "\n" + program.source());
        return new ModuleRun(program, home);
    }

    /** Returns the arguments of {@code java} that start the program, for flags in front and arguments behind. */
    List<String> arguments() {
        return List.of("--module-path", home + File.pathSeparator + ModulePath.text(), "--module",
            ModuleProgram.MODULE + "/" + ModuleProgram.MODULE + "." + ModuleProgram.CLASS);
    }

    /** Runs the program to its end. */
    ChildProcess.Result run(String... flags) throws IOException, InterruptedException {
        return ChildProcess.java(home, Stream.concat(Stream.of(flags), arguments().stream()).toArray(String[]::new));
    }

    String name() {
        return program.name();
    }

    Path home() {
        return home;
    }
}
