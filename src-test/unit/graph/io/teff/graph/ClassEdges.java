package io.teff.graph;

import io.teff.graph.EdgeList.Edge;
import java.io.IOException;
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
import java.util.stream.Stream;

/** The graph of the classes of a module of the JDK: an edge for each class that a class refers to. */
public final class ClassEdges {
    private ClassEdges() {}

    /** Returns the graph of a module, directed. */
    public static EdgeList ofModule(String module) throws IOException {
        Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules", module);
        List<Path> files;
        try (Stream<Path> walk = Files.walk(root)) {
            files = walk.filter(it -> it.toString().endsWith(".class") && !it.endsWith("module-info.class")).sorted()
                .toList();
        }
        Map<String, Integer> numbers = new HashMap<>();
        List<Edge> edges = new ArrayList<>();
        for (Path file : files) {
            ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
            int from = numbers.computeIfAbsent(model.thisClass().asInternalName(), key -> numbers.size());
            for (PoolEntry entry : model.constantPool()) {
                if (entry instanceof ClassEntry used) {
                    edges.add(new Edge(from,
                        numbers.computeIfAbsent(used.asInternalName(), key -> numbers.size()), 1));
                }
            }
        }
        return new EdgeList(numbers.size(), true, false, true, edges);
    }
}
