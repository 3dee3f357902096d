package io.teff.engine.cache;

import io.teff.engine.hash.StampLayout;
import io.teff.engine.hash.StampedBucket;
import io.teff.engine.hash.StampedMap;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The walk that finds expired entries: each write of the cache moves it by some entries, so it comes around after a
 * quarter as many writes as there are entries. While many entries have expired it moves faster. One thread at a time
 * moves it; others go on without waiting.
 *
 * <p>A timer wheel would find each entry at its time, for 8 bytes and more per entry; the walk needs nothing per entry.
 */
final class ExpiryScan {
    /** Entries that a write looks at. */
    static final int ENTRIES = 4;
    /** Entries that a write looks at while more than a quarter of them have expired. */
    static final int ENTRIES_MAX = 16;

    private static final int QUARTER_SHIFT = 2;
    private static final long[] NOTHING = new long[0];

    private final StampedMap<?, ?> map;
    private final ReentrantLock lock = new ReentrantLock();
    private final StampedBucket bucket = new StampedBucket();
    private long place;
    /** Entries that may be looked at before the next write. */
    private int credit;
    private boolean isDense;

    ExpiryScan(StampedMap<?, ?> map) {
        this.map = map;
    }

    /**
     * Moves on for a write.
     *
     * @param nowMs the present time
     * @return the hashes of the expired entries that were found; the caller removes them outside of the walk's lock
     */
    long[] move(long nowMs) {
        if (!lock.tryLock()) {
            return NOTHING;
        }
        try {
            Found found = new Found();
            credit += isDense ? ENTRIES_MAX : ENTRIES;
            while (credit > 0) {
                place = map.bucket(place, bucket);
                credit -= Math.max(1, bucket.count());
                isDense = show(bucket, nowMs, found::add) > bucket.count() >> QUARTER_SHIFT;
            }
            return found.all();
        } finally {
            lock.unlock();
        }
    }

    /** Hashes that were found. */
    private static final class Found {
        private long[] hashes = NOTHING;
        private int count;

        void add(long hash) {
            if (count == hashes.length) {
                hashes = Arrays.copyOf(hashes, Math.max(ENTRIES_MAX, count << 1));
            }
            hashes[count++] = hash;
        }

        long[] all() {
            return count == hashes.length ? hashes : Arrays.copyOf(hashes, count);
        }
    }

    /** Shows the expired entries of a bucket; returns their number. */
    private static int show(StampedBucket bucket, long nowMs, LongConsumer expired) {
        int found = 0;
        for (int i = 0; i < bucket.count(); i++) {
            if (StampLayout.isOver(bucket.deadline(i), nowMs)) {
                expired.accept(bucket.hash(i));
                found++;
            }
        }
        return found;
    }

    /** Shows the expired entries of the whole map. */
    static void all(StampedMap<?, ?> map, long nowMs, LongConsumer expired) {
        each(map, bucket -> show(bucket, nowMs, expired));
    }

    /** Shows the hashes of all entries. */
    static void hashes(StampedMap<?, ?> map, LongConsumer hashes) {
        each(map, bucket -> {
            for (int i = 0; i < bucket.count(); i++) {
                hashes.accept(bucket.hash(i));
            }
        });
    }

    private static void each(StampedMap<?, ?> map, Consumer<StampedBucket> action) {
        StampedBucket bucket = new StampedBucket();
        long next = 0;
        do {
            next = map.bucket(next, bucket);
            action.accept(bucket);
        } while (next != 0);
    }
}
