package io.teff.examples.graph;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Classes and their references, all of it in a store. The heap has the names' index only; every answer is read out of
 * chunks when it is asked for. Thread-safe, and unchanging as long as nobody else writes to the chunks.
 */
public final class ClassGraph {
    private final Store store;
    private final Map<String, Long> cidByName;
    private final long edgeCount;
    private final long unknownCount;

    /**
     * A class and how many classes refer to it.
     *
     * @param name the class's name with dots
     * @param referrers number of classes that refer to it
     */
    public record Ranked(String name, long referrers) {}

    /**
     * A graph whose vertexes are in a store already.
     *
     * @param store where they are
     * @param cidByName CIDs of the vertexes by the names of the classes, as they stand in class files
     * @param edgeCount number of references
     * @param unknownCount number of references to classes that are not in the graph
     */
    public ClassGraph(Store store, Map<String, Long> cidByName, long edgeCount, long unknownCount) {
        this.store = store;
        this.cidByName = cidByName;
        this.edgeCount = edgeCount;
        this.unknownCount = unknownCount;
    }

    /** Number of classes. */
    public int classCount() {
        return cidByName.size();
    }

    /** Number of references, each pair of classes counted once. */
    public long edgeCount() {
        return edgeCount;
    }

    /** Number of references to classes that were not among the files; they are no edges. */
    public long unknownCount() {
        return unknownCount;
    }

    /** The names of all classes, as they stand in class files, with the CIDs of their vertexes. */
    public Map<String, Long> vertexes() {
        return Collections.unmodifiableMap(cidByName);
    }

    /** The vertex of a class by its name, with dots or slashes, or {@link Cid#NONE}. */
    public long vertex(String name) {
        return cidByName.getOrDefault(ClassFiles.internalName(name), Cid.NONE);
    }

    /** The name of a class with dots. */
    public String name(long vertex) {
        int length = store.fields().getInt(vertex, VertexLayout.NAME_LENGTH_OFFSET, 0);
        byte[] name = new byte[length];
        int result = store.getBytes(vertex, VertexLayout.NAME_OFFSET, name, 0, length);
        Refusal.check(result, "read", vertex);
        return ClassFiles.binaryName(new String(name, StandardCharsets.UTF_8));
    }

    /** How many classes refer to a class. */
    public long referrerCount(long vertex) {
        long incoming = incoming(vertex);
        return VertexLayout.referrerCount(Refusal.check(store.size(incoming), "size", incoming));
    }

    /** The first classes, in the order of their names, that refer to a class. */
    public List<String> referrers(long vertex, int countMax) {
        Neighbours neighbours = new Neighbours(store);
        neighbours.readReferrers(incoming(vertex));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < Math.min(neighbours.count(), countMax); i++) {
            names.add(name(neighbours.cid(i)));
        }
        return names;
    }

    /** The classes that a class refers to, in no order. */
    public List<String> references(long vertex) {
        Neighbours neighbours = new Neighbours(store);
        neighbours.readReferences(vertex);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < neighbours.count(); i++) {
            names.add(name(neighbours.cid(i)));
        }
        return names;
    }

    /** The classes with the most referrers, most first; equal ones in the order of their names. */
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

    /** A shortest chain of references from one class to another. */
    public ShortestPath shortestPath(long from, long to) {
        return ShortestPath.between(this, store, from, to);
    }

    private long incoming(long vertex) {
        return store.fields().getLong(vertex, VertexLayout.INCOMING_OFFSET, Cid.NONE);
    }
}
