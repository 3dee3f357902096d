package io.teff.graph.formats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.Store;
import io.teff.graph.formats.EdgeLists.Edge;
import io.teff.graph.formats.EdgeLists.Given;
import io.teff.graph.names.EdgeLabels;
import io.teff.graph.names.GraphInput;
import io.teff.graph.names.VertexNames;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: readers give back what writers have written. Method: random graphs, files in many small parts. */
final class RoundTripTest {
    private static final int ROUNDS = 25;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"a.txt", "a.txt.gz", "a.bin", "a.bin.gz", "a.mtx", "a.mtx.gz", "a.graphml", "a.graphml.gz"})
    void readersGiveBack_whatWritersHaveWritten(String name) throws IOException {
        long first = Seed.first();
        for (long seed = first; seed < first + ROUNDS; seed++) {
            SplittableRandom random = Seed.random(seed);
            boolean isDirected = random.nextBoolean();
            Given edges = EdgeLists.random(random, isDirected, random.nextBoolean());
            Path file = folder.resolve(name);
            write(edges, file);
            ReadOptions options = ReadOptions.defaults().withDirected(isDirected)
                .withPartBytes(1 + random.nextInt(200));
            try (Store store = Store.open()) {
                GraphInput read = GraphFiles.open(file, GraphFiles.formatOf(file), options, store, "g");
                String reproduce = Seed.reproduce(getClass(), seed);
                assertEquals(isDirected, read.edges().directed(), reproduce);
                assertEquals(EdgeLists.sorted(edges), EdgeLists.sorted(read.edges()), reproduce);
                boolean hasCount = GraphFiles.formatOf(file) != GraphFiles.Format.EDGES;
                assertEquals(hasCount ? edges.vertexCount() : -1, read.edges().vertexCount(), reproduce);
            }
        }
    }

    private static void write(Given edges, Path file) throws IOException {
        switch (GraphFiles.formatOf(file)) {
            case BINARY -> EdgeWriters.writeBinary(edges, file);
            case MTX -> EdgeWriters.writeMatrixMarket(edges, file);
            case GRAPHML -> EdgeWriters.writeGraphMl(edges, null, null, file);
            default -> EdgeWriters.writeText(edges, null, file);
        }
    }

    @Test
    void graphMl_withNamesAndLabels_isTheSameAfterwards() throws IOException {
        List<String> texts = List.of("a", "b c", "<&\">'", "\u00E4\uD83D\uDE00", "#x", " y ");
        Path file = folder.resolve("named.graphml");
        try (Store store = Store.open()) {
            VertexNames names = new VertexNames(store, "g");
            EdgeLabels labels = new EdgeLabels(store, "g");
            texts.forEach(names::add);
            labels.add("likes");
            labels.add("a < b");
            List<Edge> edges = new ArrayList<>();
            for (int i = 1; i < texts.size(); i++) {
                edges.add(new Edge(i - 1, i, 1 + (i - 1) % 3));
            }
            EdgeWriters.writeGraphMl(new Given(texts.size(), true, true, edges), names, labels, file);
            GraphInput read = GraphMlEdges.open(file, new VertexNames(store, "h"), new EdgeLabels(store, "h"));
            assertEquals(EdgeLists.named(new GraphInput(new Given(texts.size(), true, true, edges), names, labels)),
                EdgeLists.named(read));
            read.names().audit();
            for (String refused : List.of("\u0000", "line\nend", "\uD800", "\uFFFF")) {
                VertexNames other = new VertexNames(store, "name " + refused.codePointAt(0));
                other.add(refused);
                assertThrows(IOException.class, () -> EdgeWriters.writeGraphMl(new Given(1, true, false, List.of()),
                    other, null, file));
            }
        }
    }

    @Test
    void text_withNames_isTheSameAfterwards_andOthersAreRefused() throws IOException {
        Path file = folder.resolve("named.txt");
        try (Store store = Store.open()) {
            VertexNames names = new VertexNames(store, "g");
            List.of("a b", "c,d", "e").forEach(names::add);
            Given edges = new Given(3, true, false, List.of(new Edge(0, 1, 1), new Edge(1, 2, 1), new Edge(2, 0, 1)));
            EdgeWriters.writeText(edges, names, file);
            VertexNames again = new VertexNames(store, "h");
            TextEdges read = TextEdges.named(file, ReadOptions.defaults().withSeparators("\t").withPartBytes(1), again);
            assertEquals(EdgeLists.named(new GraphInput(edges, names, null)),
                EdgeLists.named(new GraphInput(read, again, null)));
            names.add("#begin");
            Given comment = new Given(4, true, false, List.of(new Edge(3, 0, 1)));
            assertThrows(IOException.class, () -> EdgeWriters.writeText(comment, names, file));
        }
    }
}
