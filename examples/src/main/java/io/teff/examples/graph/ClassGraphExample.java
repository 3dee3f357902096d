package io.teff.examples.graph;

import io.teff.engine.Store;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads the classes of these examples into a store, as a graph, and asks questions about them.
 *
 * <p>{@code ./teff demo} does the same with every class of the JVM.
 */
public final class ClassGraphExample {
    private static final String PACKAGE = "io.teff.examples.graph.";
    private static final int THREADS = 2;

    private ClassGraphExample() {}

    static void main() throws IOException, URISyntaxException {
        Path place = Path.of(ClassGraphExample.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(place)) {
            show(place);
        } else {
            try (FileSystem jar = FileSystems.newFileSystem(place)) {
                show(jar.getPath("/"));
            }
        }
    }

    private static void show(Path classes) throws IOException {
        try (Store store = Store.open()) {
            ClassGraph graph = new ClassGraphReader(store, ClassFiles.under(List.of(classes)), THREADS).read();

            long layout = graph.vertex(PACKAGE + "VertexLayout");
            IO.println("classes that use VertexLayout: " + graph.referrerCount(layout));
            graph.referrers(layout, Integer.MAX_VALUE).forEach(name -> IO.println("  " + simple(name)));

            long example = graph.vertex(PACKAGE + "ClassGraphExample");
            ShortestPath path = graph.shortestPath(example, layout);
            IO.println("shortest path: " + String.join(" > ",
                path.classes().stream().map(ClassGraphExample::simple).toList()));
            IO.println("two chunks per class: " + (store.stats().chunks() == 2L * graph.classCount()));
        }
    }

    private static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
