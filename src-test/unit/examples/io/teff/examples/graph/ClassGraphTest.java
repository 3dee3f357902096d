package io.teff.examples.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: queries return the classes and references that were read. Method: small graphs of class files written by the
 * test, as drawn below; and one real module, in which both directions of the edges must agree.
 * <pre>
 *   A ──> B ──> C ──> D ──> E          F ──> F2 (not in the graph)
 *   └─────────> C2 ─────────┘          every class ──> java.lang.Object (not in the graph)
 *   E ──> A
 * </pre>
 */
@Tag("modes")
final class ClassGraphTest {
    private static final Map<String, List<String>> TINY = Map.of(
        "t.A", List.of("t.B", "t.C2"),
        "t.B", List.of("t.C"),
        "t.C", List.of("t.D"),
        "t.C2", List.of("t.E"),
        "t.D", List.of("t.E"),
        "t.E", List.of("t.A"),
        "t.F", List.of("t.F2"));
    private static final Path SQL = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.sql");

    @TempDir
    Path folder;
    private final Store store = Store.open(StoreConfig.builder().name("graph").memoryLimitBytes(256 << 20).build());

    @AfterEach
    void auditAndClose() {
        store.audit();
        store.close();
    }

    private ClassGraph tiny(int threads) throws IOException {
        return new ClassGraphReader(store, TinyClasses.write(folder, TINY), threads).read();
    }

    @Test
    void read_tinyClasses_countsVertexesEdgesAndChunks() throws IOException {
        ClassGraph graph = tiny(2);
        assertEquals(7, graph.classCount());
        assertEquals(7, graph.edgeCount());
        assertEquals(7 + 1, graph.unknownCount());             // Object seven times, and F2
        assertEquals(2 * 7, store.stats().chunks());
    }

    @Test
    void references_andReferrers_areTheEdgesOfTheDrawing() throws IOException {
        ClassGraph graph = tiny(1);
        assertEquals(Set.of("t.B", "t.C2"), Set.copyOf(graph.references(graph.vertex("t.A"))));
        assertEquals(List.of("t.C2", "t.D"), graph.referrers(graph.vertex("t.E"), 10));
        assertEquals(List.of("t.C2"), graph.referrers(graph.vertex("t.E"), 1));
        assertEquals(2, graph.referrerCount(graph.vertex("t.E")));
        assertEquals(0, graph.referrerCount(graph.vertex("t.F")));
        assertEquals(List.of(), graph.referrers(graph.vertex("t.F"), 10));
    }

    @Test
    void vertex_byEitherFormOfTheName_isFoundAndKnowsItsName() throws IOException {
        ClassGraph graph = tiny(1);
        assertEquals(graph.vertex("t.C2"), graph.vertex("t/C2"));
        assertEquals("t.C2", graph.name(graph.vertex("t.C2")));
        assertEquals(Cid.NONE, graph.vertex("t.F2"));
    }

    @Test
    void shortestPath_twoPaths_findsTheShorterOne() throws IOException {
        ClassGraph graph = tiny(2);
        ShortestPath path = graph.shortestPath(graph.vertex("t.A"), graph.vertex("t.E"));
        assertEquals(List.of("t.A", "t.C2", "t.E"), path.classes());
        assertEquals(2, path.steps());
    }

    @Test
    void shortestPath_aroundACycle_findsTheOnlyPath() throws IOException {
        ClassGraph graph = tiny(2);
        assertEquals(List.of("t.D", "t.E", "t.A", "t.B"),
            graph.shortestPath(graph.vertex("t.D"), graph.vertex("t.B")).classes());
    }

    @Test
    void shortestPath_toItself_hasNoSteps() throws IOException {
        ClassGraph graph = tiny(1);
        ShortestPath path = graph.shortestPath(graph.vertex("t.F"), graph.vertex("t.F"));
        assertEquals(List.of("t.F"), path.classes());
        assertEquals(0, path.steps());
    }

    @Test
    void shortestPath_noPath_isEmptyAfterVisitingAll() throws IOException {
        ClassGraph graph = tiny(1);
        ShortestPath path = graph.shortestPath(graph.vertex("t.A"), graph.vertex("t.F"));
        assertEquals(List.of(), path.classes());
        assertEquals(-1, path.steps());
        assertEquals(6, path.visited());
    }

    @Test
    void mostReferenced_ofTinyClasses_isInOrderOfCountThenName() throws IOException {
        ClassGraph graph = tiny(2);
        assertEquals(List.of(new ClassGraph.Ranked("t.E", 2), new ClassGraph.Ranked("t.A", 1),
            new ClassGraph.Ranked("t.B", 1)), graph.mostReferenced(3));
        assertEquals(7, graph.mostReferenced(100).size());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void read_aModuleOfTheJdk_hasTheSameEdgesInBothDirections(int threads) throws IOException {
        ClassFiles files = ClassFiles.under(List.of(SQL));
        ClassGraph graph = new ClassGraphReader(store, files, threads).read();
        Set<String> forward = new TreeSet<>();
        Set<String> backward = new TreeSet<>();
        for (String name : files.byName().keySet()) {
            String self = ClassFiles.binaryName(name);
            long vertex = graph.vertex(name);
            graph.references(vertex).forEach(other -> forward.add(self + " > " + other));
            graph.referrers(vertex, Integer.MAX_VALUE).forEach(other -> backward.add(other + " > " + self));
        }
        assertEquals(graph.edgeCount(), forward.size());
        assertEquals(forward, backward);
        assertTrue(forward.contains("java.sql.Driver > java.sql.Connection"));
    }

    @Test
    void read_noClasses_isAnEmptyGraph() throws IOException {
        ClassGraph graph = new ClassGraphReader(store, ClassFiles.under(List.of(folder)), 2).read();
        assertEquals(0, graph.classCount());
        assertEquals(List.of(), graph.mostReferenced(10));
    }

    @Test
    void read_brokenClassFile_failsAndNamesTheCause() throws IOException {
        ClassFiles files = TinyClasses.write(folder, TINY);
        Files.write(folder.resolve("t/C.class"), new byte[] {1, 2, 3});
        IOException failure = assertThrows(IOException.class, () -> new ClassGraphReader(store, files, 2).read());
        assertTrue(failure.toString().endsWith("C.class is not a class file"), failure::toString);
    }

    @Test
    void read_intoATooSmallStore_failsWithFull() throws IOException {
        ClassFiles files = ClassFiles.under(List.of(SQL.resolveSibling("java.base")));
        try (Store small = Store.open(StoreConfig.builder().name("small").memoryLimitBytes(4 << 20).build())) {
            ClassGraphReader reader = new ClassGraphReader(small, files, 2);
            StoreException failure = assertThrows(StoreException.class, reader::read);
            assertTrue(failure.toString().contains("FULL"), failure::toString);
            small.audit();
        }
    }

    @Test
    void ofRuntimeImage_always_hasClassesButNoDescriptors() throws IOException {
        ClassFiles files = ClassFiles.ofRuntimeImage();
        assertTrue(files.contains("java.lang.String") && files.contains("java/util/Map$Entry"));
        assertFalse(files.contains("module-info"));
    }
}
