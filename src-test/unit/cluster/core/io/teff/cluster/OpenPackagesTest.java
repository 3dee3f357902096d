package io.teff.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever the module turns into bytes by a schema is in a package that is open to the engine, so that programs
 * on the module path have all messages and tables.
 *
 * <p>Method: all classes of the module are initialized; schemas are constants of classes. In Maven's runs the tests are
 * part of the named module. On the class path every package is open.
 */
final class OpenPackagesTest {
    private static final int CLASSES_AT_LEAST = 300;

    @Test
    void everyClass_isInitialized() throws Exception {
        Path classes = Path.of(ClusterStore.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<String> failures = new ArrayList<>();
        List<String> names = names(classes);
        for (String name : names) {
            try {
                Class.forName(name, true, ClusterStore.class.getClassLoader());
            } catch (ExceptionInInitializerError e) {
                failures.add(name + ": " + e.getCause());
            }
        }
        assertEquals("", String.join("\n", failures));
        assertTrue(names.size() > CLASSES_AT_LEAST, () -> names.size() + " classes");
    }

    private static List<String> names(Path classes) throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            return files.map(it -> classes.relativize(it).toString())
                .filter(it -> it.endsWith(".class") && !it.endsWith("-info.class"))
                .map(it -> it.replace(".class", "").replace('/', '.')).sorted().toList();
        }
    }
}
