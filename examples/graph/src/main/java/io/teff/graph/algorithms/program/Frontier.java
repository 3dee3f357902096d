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
     * {@return a set of some vertices}
     *
     * @param vertexCount of the graph
     * @param members in any order; a repeated vertex counts once
     * @throws IndexOutOfBoundsException if a member is outside of the graph
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
     * {@return the vertices that fulfil a condition}
     *
     * @param vertexCount of the graph
     * @param condition asked for each vertex once, in ascending order
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

    /** {@return the number of vertices in the set} */
    public int size() {
        return size;
    }

    /** {@return whether the set is empty} */
    public boolean isEmpty() {
        return size == 0;
    }

    /**
     * {@return whether a vertex is in the set}
     *
     * @param vertex 0 to the number of vertices of the graph - 1
     * @throws IndexOutOfBoundsException if the vertex is outside of the graph
     */
    public boolean contains(int vertex) {
        Objects.checkIndex(vertex, vertexCount);
        return (words[vertex >>> WORD_SHIFT] >>> vertex & 1) != 0;
    }

    /** {@return the vertices of the set in ascending order} */
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
