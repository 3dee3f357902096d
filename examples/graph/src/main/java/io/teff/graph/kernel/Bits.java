package io.teff.graph.kernel;

import java.util.Arrays;

/** A set of vertices as bits in words. A word is written by one thread at a time. */
final class Bits {
    /** Bits of a word, as a shift. */
    static final int WORD_SHIFT = 6;

    private long[] words;

    Bits(int count) {
        words = new long[wordsFor(count)];
    }

    static int wordsFor(int count) {
        return (count >>> WORD_SHIFT) + 1;
    }

    long[] words() {
        return words;
    }

    void set(int index) {
        words[index >>> WORD_SHIFT] |= 1L << index;
    }

    void clear() {
        Arrays.fill(words, 0);
    }

    void swap(Bits other) {
        long[] mine = words;
        words = other.words;
        other.words = mine;
    }
}
