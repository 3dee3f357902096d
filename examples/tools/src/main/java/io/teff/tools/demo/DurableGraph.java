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
 * The class graph in a durable store, in two named collections: the vertex of each class, and its number of visits.
 * Counting visits is the demo's update.
 */
final class DurableGraph {
    private final Store store;
    private final ChunkMap<String, Long> vertexes;
    private final ChunkLongMap<Long> visits;

    /** Opens the graph of a store, which is empty at first. */
    DurableGraph(Store store) {
        this.store = store;
        this.vertexes = store.map("vertexes", Codecs.STRING, Codecs.LONG);
        this.visits = store.longMap("visits", Codecs.LONG);
    }

    /** Stores the names and CIDs of the vertexes, whose chunks must be in the store. */
    void note(ClassGraph graph) {
        vertexes.putAll(graph.vertexes());
    }

    /** Stores the number of visits of a class. */
    void setVisits(int number, long count) {
        visits.set(number, count);
    }

    /** Returns the number of visits of a class. */
    long visits(int number) {
        final Long count = visits.get((long) number);
        return count == null ? 0 : count;
    }

    /**
     * Compares the graph with one that was read from the class files: names, references and referrers of each class.
     *
     * @throws LoadFailure at the first difference, which it names
     */
    void verify(ClassGraph right) {
        vertexes.audit();
        visits.audit();
        final Map<String, Long> found = new HashMap<>(vertexes);
        check(found.keySet().equals(right.vertexes().keySet()),
            "the graph has other classes: " + found.size() + " instead of " + right.classCount());
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

    /** Throws if a condition does not hold. */
    static void check(boolean isRight, String message) {
        if (!isRight) {
            throw new LoadFailure("durable store: " + message);
        }
    }
}
