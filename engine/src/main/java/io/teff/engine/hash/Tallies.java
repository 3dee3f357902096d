package io.teff.engine.hash;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What a table counts, by lane: a number is written by who holds its lane, and read by anybody. The load, by which the
 * table grows, is their sum but for {@link #STEP} per lane, so that it is not touched by each change.
 */
final class Tallies {
    /** Weight by which a lane may differ from what it has told the load. */
    static final int STEP = 256;

    private static final int FIELDS = 4;
    private static final int COUNT = 0;
    private static final int MEMORY = 1;
    private static final int UNTOLD = 2;

    private final AtomicLongArray fields;
    private final AtomicLong load = new AtomicLong();

    Tallies(int lanes) {
        fields = new AtomicLongArray(lanes * FIELDS);
    }

    private long add(int lane, int field, long delta) {
        int place = lane * FIELDS + field;
        long sum = fields.getPlain(place) + delta;
        fields.setOpaque(place, sum);
        return sum;
    }

    private long sum(int field) {
        long sum = 0;
        for (int place = field; place < fields.length(); place += FIELDS) {
            sum += fields.getOpaque(place);
        }
        return sum;
    }

    /** Counts entries. */
    void count(int lane, long delta) {
        add(lane, COUNT, delta);
    }

    /** Counts memory of chunks. */
    void memory(int lane, long delta) {
        add(lane, MEMORY, delta);
    }

    /** Counts weight of entries. */
    void weight(int lane, long delta) {
        long untold = add(lane, UNTOLD, delta);
        if (Math.abs(untold) >= STEP) {
            load.getAndAdd(untold);
            add(lane, UNTOLD, -untold);
        }
    }

    long entries() {
        return sum(COUNT);
    }

    long memoryBytes() {
        return sum(MEMORY);
    }

    /** Weight of all entries, almost. */
    long load() {
        return load.getOpaque();
    }

    /** Weight of all entries, if nothing changes. */
    long exactLoad() {
        return load.get() + sum(UNTOLD);
    }
}
