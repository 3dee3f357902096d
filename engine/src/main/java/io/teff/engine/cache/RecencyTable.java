package io.teff.engine.cache;

/**
 * Estimates when each key was used last, in one byte for each entry of the limit. Time is counted in entries that were
 * added: a tick is a {@value #TICKS}th of the limit. A key has two bytes of the table, and the older of both is its
 * time: other keys can make a key look younger, hardly ever both of its bytes.
 *
 * <p>0 is the time long ago. Each added entry sweeps some bytes, and sets those that are older than {@value #AGE_MAX}
 * ticks to 0, before the counter of ticks comes around to them.
 *
 * <p><b>Threads.</b> Bytes are read and written without order. A lost byte makes a key look older, so the races are
 * benign.
 */
final class RecencyTable {
    /** Ticks while as many entries are added as the limit allows. */
    static final int TICKS = 64;
    /** Age of keys that were not used for long. */
    static final int OLDEST = 255;

    private static final int AGE_MAX = 200;
    private static final int SWEPT_BYTES = 16;
    private static final int TIMES = 255;
    private static final int SECOND_SHIFT = 29;
    private static final int BYTES_MAX = 1 << 30;

    private final byte[] times;
    private final long tickEntries;
    private int now = 1;
    private long added;
    private int sweep;

    RecencyTable(long entries) {
        times = new byte[Math.clamp(entries, TICKS, BYTES_MAX)];
        tickEntries = Math.max(1, entries / TICKS);
    }

    long bytes() {
        return times.length;
    }

    private int first(long hash) {
        return (int) Math.unsignedMultiplyHigh(Spread.of(hash) * Spread.FIRST, times.length);
    }

    private int second(long hash) {
        return (int) Math.unsignedMultiplyHigh(Long.rotateLeft(Spread.of(hash), SECOND_SHIFT) * Spread.FIRST,
            times.length);
    }

    /** Notes a use of a key. Stores only what changes, so that uses of one key within a tick write nothing. */
    void use(long hash) {
        final byte time = (byte) now;
        final int first = first(hash);
        final int second = second(hash);
        if (times[first] != time) {
            times[first] = time;
        }
        if (times[second] != time) {
            times[second] = time;
        }
    }

    /** Notes that an entry was added. Called by one thread at a time. */
    void added() {
        if (++added % tickEntries == 0) {
            now = now % TIMES + 1;
        }
        final int end = Math.min(sweep + SWEPT_BYTES, times.length);
        for (int i = sweep; i < end; i++) {
            if (age(times[i]) > AGE_MAX) {
                times[i] = 0;
            }
        }
        sweep = end == times.length ? 0 : end;
    }

    private int age(byte time) {
        final int ticks = time & 0xFF;
        return ticks == 0 ? OLDEST : (now - ticks + TIMES) % TIMES;
    }

    /** Returns the ticks since the last use of a key. */
    int age(long hash) {
        return Math.max(age(times[first(hash)]), age(times[second(hash)]));
    }
}
