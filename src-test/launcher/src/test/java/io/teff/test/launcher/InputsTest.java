package io.teff.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The inputs of each module of this repository contain the files that its tests name. */
final class InputsTest {
    private static final Pattern NAMED = Pattern.compile("\"((?:docs|src-test|examples)/[\\w./-]+)\"");

    @Test
    void files_thatTestsName_areInputsOfTheirModule() throws IOException {
        Path root = LaneTimesTest.root();
        Modules modules = Modules.read(root);
        Inputs inputs = new Inputs(root, modules, "");
        List<String> missing = new ArrayList<>();
        int found = 0;
        for (Module module : modules.all()) {
            List<Path> paths = inputs.of(module);
            for (Path source : sources(module)) {
                Matcher named = NAMED.matcher(Files.readString(source));
                while (named.find()) {
                    Path file = root.resolve(named.group(1)).normalize();
                    found++;
                    if (Files.exists(file) && paths.stream().noneMatch(file::startsWith)) {
                        missing.add(module.folder() + " " + named.group(1) + " of " + source.getFileName());
                    }
                }
            }
        }
        assertEquals(List.of(), missing, "add them to " + Inputs.FILE);
        assertFalse(found < 5, "the rule finds too few files: " + found);
    }

    private static List<Path> sources(Module module) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path folder : module.tests()) {
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.walk(folder)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
                }
            }
        }
        return found;
    }
}
