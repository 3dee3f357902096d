package io.teff.examples.graph;

import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Classes and their references, as chunks of a store. The Java heap has only the index of names; each query reads the
 * chunks. Thread-safe, and immutable as long as no other code changes the chunks.
 */
public final class ClassGraph {
    private final ChunkStore store;
    private final Map<String, Long> cidByName;
    private final long edgeCount;
    private final long unknownCount;

    /**
     * A class and the number of its referrers.
     *
     * @param name binary name of the class
     * @param referrers number of classes that refer to it
     */
    public record Ranked(String name, long referrers) {}

    /**
     * Creates a graph of vertexes that are in a store.
     *
     * @param store the store
     * @param cidByName CIDs of the vertexes by internal name of the class
     * @param edgeCount number of references
     * @param unknownCount number of references to classes that are not in the graph
     */
    public ClassGraph(ChunkStore store, Map<String, Long> cidByName, long edgeCount, long unknownCount) {
        this.store = store;
        this.cidByName = cidByName;
        this.edgeCount = edgeCount;
        this.unknownCount = unknownCount;
    }

    /** Returns the number of classes. */
    public int classCount() {
        return cidByName.size();
    }

    /** Returns the number of references, each pair of classes counted once. */
    public long edgeCount() {
        return edgeCount;
    }

    /** Returns the number of references to classes that are not in the graph; these are not edges. */
    public long unknownCount() {
        return unknownCount;
    }

    /** Returns the CIDs of all vertexes by internal name of the class. */
    public Map<String, Long> vertexes() {
        return Collections.unmodifiableMap(cidByName);
    }

    /** Returns the vertex of a class by its binary or internal name, or {@link Cid#NONE}. */
    public long vertex(String name) {
        return cidByName.getOrDefault(ClassFiles.internalName(name), Cid.NONE);
    }

    /** Returns the binary name of a class. */
    public String name(long vertex) {
        int length = store.fields().getInt(vertex, VertexLayout.NAME_LENGTH_OFFSET, 0);
        byte[] name = new byte[length];
        int result = store.getBytes(vertex, VertexLayout.NAME_OFFSET, name, 0, length);
        StatusCheck.check(result, "read", vertex);
        return ClassFiles.binaryName(new String(name, StandardCharsets.UTF_8));
    }

    /** Returns the number of classes that refer to a class. */
    public long referrerCount(long vertex) {
        long incoming = incoming(vertex);
        return VertexLayout.referrerCount(StatusCheck.check(store.size(incoming), "size", incoming));
    }

    /** Returns the first classes that refer to a class, in the order of their names. */
    public List<String> referrers(long vertex, int countMax) {
        ReferenceCursor neighbours = new ReferenceCursor(store);
        neighbours.readReferrers(incoming(vertex));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < Math.min(neighbours.count(), countMax); i++) {
            names.add(name(neighbours.cid(i)));
        }
        return names;
    }

    /** Returns the classes that a class refers to, in no particular order. */
    public List<String> references(long vertex) {
        ReferenceCursor neighbours = new ReferenceCursor(store);
        neighbours.readReferences(vertex);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < neighbours.count(); i++) {
            names.add(name(neighbours.cid(i)));
        }
        return names;
    }

    /** Returns the classes with the most referrers, in descending order; equal ones in the order of their names. */
    public List<Ranked> mostReferenced(int countMax) {
        Comparator<Ranked> best = Comparator.comparingLong(Ranked::referrers).reversed()
            .thenComparing(Ranked::name);
        PriorityQueue<Ranked> ranked = new PriorityQueue<>(best.reversed());
        for (Map.Entry<String, Long> vertex : cidByName.entrySet()) {
            ranked.add(new Ranked(ClassFiles.binaryName(vertex.getKey()), referrerCount(vertex.getValue())));
            if (ranked.size() > countMax) {
                ranked.remove();
            }
        }
        return ranked.stream().sorted(best).toList();
    }

    /** Returns a shortest path of references from one class to another. */
    public ShortestPath shortestPath(long from, long to) {
        return ShortestPath.between(this, store, from, to);
    }

    /** Returns the incoming chunk of a vertex. */
    public long incoming(long vertex) {
        return store.fields().getLong(vertex, VertexLayout.INCOMING_OFFSET, Cid.NONE);
    }
}
