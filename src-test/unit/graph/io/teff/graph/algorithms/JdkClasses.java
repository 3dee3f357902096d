package io.teff.graph.algorithms;

import io.teff.graph.algorithms.ArrayGraph.Edge;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The classes of java.base and which of them refer to which, as a directed graph. */
final class JdkClasses {
    private static final Path BASE = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");
    private static final String SUFFIX = ".class";

    private JdkClasses() {}

    /** The graph of classes whose internal names begin with a prefix, in the order of the names. */
    static ArrayGraph graph(String prefix) {
        Map<String, Integer> numbers = new HashMap<>();
        TreeSet<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.walk(BASE.resolve(prefix))) {
            files.map(file -> BASE.relativize(file).toString()).filter(name -> name.endsWith(SUFFIX))
                .forEach(name -> names.add(name.substring(0, name.length() - SUFFIX.length())));
            names.forEach(name -> numbers.put(name, numbers.size()));
            List<Edge> edges = new ArrayList<>();
            for (String name : names) {
                ClassModel model = ClassFile.of().parse(Files.readAllBytes(BASE.resolve(name + SUFFIX)));
                for (PoolEntry entry : model.constantPool()) {
                    if (entry instanceof ClassEntry it && numbers.containsKey(it.asInternalName())
                            && !it.asInternalName().equals(name)) {
                        edges.add(new Edge(numbers.get(name), numbers.get(it.asInternalName()), 1));
                    }
                }
            }
            return ArrayGraph.of(names.size(), true, false, edges);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
