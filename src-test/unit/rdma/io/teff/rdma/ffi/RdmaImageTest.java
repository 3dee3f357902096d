package io.teff.rdma.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: the metadata for native images names the shape of every call and callback. Method: a class loader of its own
 * initializes all classes of the module, which link their calls then, whether the libraries are there or not. The
 * shapes that were linked are compared with the file.
 */
final class RdmaImageTest {
    private static final String FILE = "META-INF/native-image/io.teff/teff-rdma/reachability-metadata.json";
    /** The platform's loader would find the classes of the named module, which other tests have used. */
    private static final @Nullable ClassLoader NO_PARENT = null;
    private static final String CALLBACKS = "\"upcalls\"";

    private final Path classes;

    RdmaImageTest() throws Exception {
        classes = Path.of(NativeLibrary.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            return files.map(it -> classes.relativize(it).toString()).filter(it -> it.endsWith(".class")
                && !it.endsWith("-info.class")).map(it -> it.replace(".class", "").replace('/', '.')).sorted().toList();
        }
    }

    @Test
    void metadata_namesTheShapeOfEveryCallAndCallback() throws Exception {
        try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()},
            NO_PARENT)) {
            for (String name : names()) {
                try {
                    Class.forName(name, true, loader);
                } catch (ExceptionInInitializerError _) {
                    continue;                                   // the version of a library that is not there
                }
            }
            String text = file();
            int end = text.indexOf(CALLBACKS);
            assertEquals(String.join("\n", linked(loader, "calls")), shapes(text.substring(0, end)));
            assertEquals(String.join("\n", linked(loader, "callbacks")), shapes(text.substring(end)));
        }
    }

    @SuppressWarnings("unchecked")
    private static Set<String> linked(ClassLoader loader, String which) throws Exception {
        Method method = Class.forName(LinkedShapes.class.getName(), true, loader).getDeclaredMethod(which);
        method.setAccessible(true);
        Set<String> linked = (Set<String>) method.invoke(null);
        assertFalse(linked.isEmpty(), which);
        return linked;
    }

    private static String file() throws IOException {
        try (InputStream stream = NativeLibrary.class.getClassLoader().getResourceAsStream(FILE)) {
            assertNotNull(stream, FILE);
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String shapes(String part) {
        return part.lines().map(String::strip).filter(it -> it.startsWith("{\"returnType\""))
            .map(it -> it.endsWith(",") ? it.substring(0, it.length() - 1) : it)
            .collect(Collectors.toCollection(TreeSet::new)).stream().collect(Collectors.joining("\n"));
    }
}
