package io.teff.tools.demo;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import io.teff.examples.graph.ClassGraph;
import io.teff.tools.load.LoadFailure;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The class graph in a durable store, where it is found again by names: the vertex of each class, and how often it was
 * visited. Visits are the updates of the demo.
 */
final class DurableGraph {
    private final Store store;
    private final ChunkMap<String, Long> vertexes;
    private final ChunkLongMap<Long> visits;

    /** The graph of a store; an empty one where there is none. */
    DurableGraph(Store store) {
        this.store = store;
        this.vertexes = store.map("vertexes", Codecs.STRING, Codecs.LONG);
        this.visits = store.longMap("visits", Codecs.LONG);
    }

    /** Notes the vertexes of a graph that was read into the store. */
    void note(ClassGraph graph) {
        vertexes.putAll(graph.vertexes());
    }

    /** Notes how often a class was visited. */
    void visited(int number, long count) {
        visits.set(number, count);
    }

    /** How often a class was visited. */
    long visits(int number) {
        final Long count = visits.get((long) number);
        return count == null ? 0 : count;
    }

    /**
     * Compares the graph with one that was read from class files just now: names, references and referrers of each
     * class.
     *
     * @throws LoadFailure naming the first difference
     */
    void verify(ClassGraph right) {
        vertexes.audit();
        visits.audit();
        final Map<String, Long> found = new HashMap<>(vertexes);
        check(found.keySet().equals(right.vertexes().keySet()),
            "the graph has " + found.size() + " classes, and not these " + right.classCount());
        final ClassGraph graph = new ClassGraph(store, found, right.edgeCount(), right.unknownCount());
        right.vertexes().forEach((name, vertex) -> {
            final long here = found.getOrDefault(name, Cid.NONE);
            check(store.exists(here) && graph.name(here).equals(right.name(vertex)), name + " has another vertex");
            check(set(graph.references(here)).equals(set(right.references(vertex))), name + " has other references");
            check(graph.referrers(here, Integer.MAX_VALUE).equals(right.referrers(vertex, Integer.MAX_VALUE)),
                name + " has other referrers");
        });
    }

    private static Set<String> set(List<String> names) {
        return new HashSet<>(names);
    }

    /** Ends the demo if something is not as it must be. */
    static void check(boolean isRight, String message) {
        if (!isRight) {
            throw new LoadFailure("of the durable store, " + message);
        }
    }
}
