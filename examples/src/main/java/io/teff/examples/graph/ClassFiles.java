package io.teff.examples.graph;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Class files in the order of the class names; their content is not read. Names are internal names, as in class files:
 * {@code java/util/Map$Entry}. {@code module-info} is not a class and is ignored.
 *
 * @param byName path of each class file by internal name
 */
public record ClassFiles(SortedMap<String, Path> byName) {
    private static final String SUFFIX = ".class";
    private static final String MODULE_DESCRIPTOR = "module-info" + SUFFIX;
    private static final Path IMAGE_MODULES = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");

    /** Lists every class of the run-time image of this JVM. */
    public static ClassFiles ofRuntimeImage() throws IOException {
        List<Path> modules = new ArrayList<>();
        try (Stream<Path> paths = Files.list(IMAGE_MODULES)) {
            paths.forEach(modules::add);
        }
        return under(modules);
    }

    /** Lists every class in and below folders that are roots of packages. */
    public static ClassFiles under(List<Path> roots) throws IOException {
        SortedMap<String, Path> byName = new TreeMap<>();
        for (Path root : roots) {
            try (Stream<Path> paths = Files.walk(root)) {
                for (Iterator<Path> it = paths.iterator(); it.hasNext();) {
                    add(root, it.next(), byName);
                }
            }
        }
        return new ClassFiles(byName);
    }

    private static void add(Path root, Path file, SortedMap<String, Path> byName) {
        String path = root.relativize(file).toString();
        if (path.endsWith(SUFFIX) && !path.endsWith(MODULE_DESCRIPTOR)) {
            String separator = file.getFileSystem().getSeparator();
            String name = path.substring(0, path.length() - SUFFIX.length()).replace(separator, "/");
            byName.putIfAbsent(name, file);
        }
    }

    /** Returns the number of classes. */
    public int count() {
        return byName.size();
    }

    /** Returns whether there is a class of that binary or internal name. */
    public boolean contains(String name) {
        return byName.containsKey(internalName(name));
    }

    /** Returns the internal name: {@code java/util/Map$Entry}. */
    static String internalName(String name) {
        return name.replace('.', '/');
    }

    /** Returns the binary name, as {@link Class#getName} does: {@code java.util.Map$Entry}. */
    static String binaryName(String internalName) {
        return internalName.replace('/', '.');
    }
}
