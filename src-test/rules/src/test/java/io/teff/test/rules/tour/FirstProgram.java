package io.teff.test.rules.tour;

import io.teff.test.rules.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The first program of the README, as sources of a project. */
public final class FirstProgram {
    /** The main class on the class path, which has no package. */
    public static final String MAIN = ModuleProgram.CLASS;
    /** The module and the main class on the module path. */
    public static final String MODULE_MAIN = ModuleProgram.MODULE + "/" + ModuleProgram.MODULE + "."
        + ModuleProgram.CLASS;
    private static final Path README = Path.of("README.md");

    private FirstProgram() {}

    /** Writes the program into a folder of sources, as the page has it or as a class of a module. */
    public static void write(Path sources, boolean isModule) throws IOException {
        ModuleProgram program = ModuleProgram.of(README.toString(), Repository.read(README)).getFirst();
        if (isModule) {
            Path place = Files.createDirectories(sources.resolve(ModuleProgram.MODULE));
            Files.writeString(place.resolve(MAIN + ".java"), program.asClass());
            Files.writeString(sources.resolve("module-info.java"), program.descriptor());
        } else {
            Files.writeString(Files.createDirectories(sources).resolve(MAIN + ".java"), program.source());
        }
    }

    /** Returns what the page says that the program prints. */
    public static String output() {
        return Tour.programs(Repository.read(README)).getFirst().output();
    }
}
