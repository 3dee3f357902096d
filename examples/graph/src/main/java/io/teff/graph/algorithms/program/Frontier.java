package io.teff.graph.algorithms.program;

import java.util.Objects;
import java.util.function.IntPredicate;

/** A set of vertices. Immutable. */
public final class Frontier {
    static final int WORD_SHIFT = 6;

    private final int vertexCount;
    private final long[] words;
    private final int size;

    Frontier(int vertexCount, long[] words) {
        this.vertexCount = vertexCount;
        this.words = words;
        int count = 0;
        for (long word : words) {
            count += Long.bitCount(word);
        }
        size = count;
    }

    /**
     * A set of some vertices.
     *
     * @param vertexCount of the graph
     * @param members in any order
     */
    public static Frontier of(int vertexCount, int... members) {
        long[] words = words(vertexCount);
        for (int member : members) {
            Objects.checkIndex(member, vertexCount);
            words[member >>> WORD_SHIFT] |= 1L << member;
        }
        return new Frontier(vertexCount, words);
    }

    /**
     * The vertices that fulfil a condition.
     *
     * @param vertexCount of the graph
     * @param condition asked for each vertex once
     */
    public static Frontier where(int vertexCount, IntPredicate condition) {
        long[] words = words(vertexCount);
        for (int vertex = 0; vertex < vertexCount; vertex++) {
            if (condition.test(vertex)) {
                words[vertex >>> WORD_SHIFT] |= 1L << vertex;
            }
        }
        return new Frontier(vertexCount, words);
    }

    static long[] words(int vertexCount) {
        return new long[(vertexCount >>> WORD_SHIFT) + 1];
    }

    /** Number of vertices in the set. */
    public int size() {
        return size;
    }

    /** Whether the set is empty. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Whether a vertex is in the set. */
    public boolean contains(int vertex) {
        Objects.checkIndex(vertex, vertexCount);
        return (words[vertex >>> WORD_SHIFT] >>> vertex & 1) != 0;
    }

    /** The vertices in ascending order. */
    public int[] members() {
        int[] members = new int[size];
        int at = 0;
        for (int word = 0; word < words.length; word++) {
            for (long bits = words[word]; bits != 0; bits &= bits - 1) {
                members[at++] = (word << WORD_SHIFT) + Long.numberOfTrailingZeros(bits);
            }
        }
        return members;
    }
}
