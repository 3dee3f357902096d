package io.teff.engine.cache;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Estimates how often each key was used lately, in counters of 4 bits: a count-min sketch with aging, as TinyLFU has it
 * (Einziger, Friedman and Manes 2017).
 * <pre>
 *  block (64 bytes, a cache line)
 *  +---------+---------+---------+---------+
 *  | row 0   | row 1   | row 2   | row 3   |     a row has two words of 16 counters; a key has a counter in each row
 *  +---------+---------+---------+---------+     of one block, and the least of the four counts
 * </pre>
 * After {@value #PERIOD} uses for each entry of the limit all counters are halved.
 *
 * <p><b>Threads.</b> Words are read and written without order and without atomic steps. Two threads that change a word
 * at the same time may lose a use, which makes an estimate lower by one. No counter overflows, because each thread
 * stores what it has computed from one read. So the races are benign.
 */
final class FrequencySketch {
    /** Largest count. */
    static final int COUNT_MAX = 15;
    /** Bytes of counters for each entry of the limit. */
    static final int ENTRY_BYTES = 6;

    private static final int PERIOD = 10;
    private static final int BLOCK_WORDS = 8;
    private static final int ROWS = 4;
    private static final int ROW_HASH_BITS = 8;
    private static final int COUNTER_SHIFT = 2;
    private static final int COUNTERS_MASK = 15;
    private static final int BLOCKS_MAX = 1 << 27;
    private static final long HALVED_MASK = 0x7777_7777_7777_7777L;

    private final long[] words;
    private final int blocks;
    private final long period;
    private final AtomicBoolean isAging = new AtomicBoolean();
    private long uses;

    FrequencySketch(long entries) {
        blocks = Math.clamp(entries * ENTRY_BYTES / (BLOCK_WORDS * Long.BYTES), 1, BLOCKS_MAX);
        words = new long[blocks * BLOCK_WORDS];
        period = Math.max(1, entries) * PERIOD;
    }

    long bytes() {
        return (long) words.length * Long.BYTES;
    }

    private int block(long hash) {
        return (int) Math.unsignedMultiplyHigh(hash * Spread.FIRST, blocks) * BLOCK_WORDS;
    }

    private static int word(int block, int row, int bits) {
        return block + (row << 1) + (bits & 1);
    }

    private static int shift(int bits) {
        return (bits >>> 1 & COUNTERS_MASK) << COUNTER_SHIFT;
    }

    /** Returns the estimated number of uses of a key, 0 to {@link #COUNT_MAX}. */
    int count(long hash) {
        final long[] all = words;
        final int block = block(hash);
        final long spread = Spread.of(hash);
        int least = COUNT_MAX;
        for (int row = 0; row < ROWS; row++) {
            final int bits = (int) (spread >>> row * ROW_HASH_BITS);
            least = Math.min(least, (int) (all[word(block, row, bits)] >>> shift(bits)) & COUNT_MAX);
        }
        return least;
    }

    /** Notes a use of a key. */
    void use(long hash) {
        final long[] all = words;
        final int block = block(hash);
        final long spread = Spread.of(hash);
        boolean isCounted = false;
        for (int row = 0; row < ROWS; row++) {
            final int bits = (int) (spread >>> row * ROW_HASH_BITS);
            final int at = word(block, row, bits);
            final long word = all[at];
            if ((word >>> shift(bits) & COUNT_MAX) != COUNT_MAX) {
                all[at] = word + (1L << shift(bits));
                isCounted = true;
            }
        }
        if (isCounted && ++uses >= period) {
            age();
        }
    }

    private void age() {
        if (isAging.compareAndSet(false, true)) {
            uses >>>= 1;
            for (int i = 0; i < words.length; i++) {
                words[i] = words[i] >>> 1 & HALVED_MASK;
            }
            isAging.set(false);
        }
    }
}
