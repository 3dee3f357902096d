package io.teff.engine.cache;

import io.teff.engine.hash.StampedBucket;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What is known of past uses of the keys, and which of some entries to evict. Nothing is kept per entry: uses are
 * counted in a {@link FrequencySketch} and a {@link RecencyTable} for all keys.
 *
 * <p><b>Two orders.</b> Under the order of frequency, a new entry passes a window of a hundredth of the limit. At its
 * end it stays only if it was used more often than the least used of the sampled entries by more than {@value #MARGIN};
 * one of both is evicted. Under the order of recency, the sampled entry that was used longest ago is evicted. A {@link
 * ShadowDuel} chooses. {@code docs/decisions/0069} has the hit rates.
 *
 * <p><b>Threads.</b> Uses take no lock, except those of the sample of the duel, which are left out if another thread
 * has the lock. Entries are added under a lock of a few instructions.
 */
final class AccessPolicy {
    /** Uses by which a new entry must lead: its own entering counts one of them. */
    static final int MARGIN = 1;
    /** No candidate. */
    static final long NONE = 0;

    private static final int WINDOW_SHARE = 100;
    private static final int WINDOW_TICKS = 2;
    private static final int WINDOW_MAX = 1 << 24;
    /** A new entry of a load with colliding hashes is admitted by chance: once in so many decisions. */
    private static final int CHANCE_USES = 6;
    private static final int CHANCE_MASK = 127;

    private final FrequencySketch frequency;
    private final RecencyTable recency;
    private final ShadowDuel duel;
    private final ReentrantLock duelLock = new ReentrantLock();
    private final ReentrantLock windowLock = new ReentrantLock();
    /** Hashes of the entries that were added last, as a ring. */
    private final long[] window;
    private final int windowEntries;
    private int first;
    private int count;
    private long decisions;

    AccessPolicy(long entries) {
        frequency = new FrequencySketch(entries);
        recency = new RecencyTable(entries);
        duel = new ShadowDuel(entries, frequency);
        windowEntries = Math.clamp(entries / WINDOW_SHARE, 1, WINDOW_MAX);
        window = new long[windowEntries << 1];
    }

    long bytes() {
        return frequency.bytes() + recency.bytes() + duel.bytes() + (long) window.length * Long.BYTES;
    }

    /** Notes that an entry was read or written. */
    void use(long hash) {
        frequency.use(hash);
        recency.use(hash);
        if (duel.isSampled(hash) && duelLock.tryLock()) {
            try {
                duel.use(hash);
            } finally {
                duelLock.unlock();
            }
        }
    }

    /**
     * Notes that an entry was added.
     *
     * @param isFull whether an entry will be evicted for it; else the oldest entry of the window stays
     */
    void added(long hash, boolean isFull) {
        windowLock.lock();
        try {
            recency.added();
            if (count == window.length || !isFull && count == windowEntries) {
                poll();
            }
            window[(first + count++) % window.length] = hash;
        } finally {
            windowLock.unlock();
        }
    }

    private long poll() {
        long hash = window[first];
        first = (first + 1) % window.length;
        count--;
        return hash;
    }

    /** Returns the hash of an entry that has passed the window and has to prove itself, or NONE. */
    long candidate() {
        windowLock.lock();
        try {
            return count > windowEntries ? poll() : NONE;
        } finally {
            windowLock.unlock();
        }
    }

    boolean prefersRecent() {
        return duel.prefersRecent();
    }

    /**
     * Returns which entry is to be evicted: the candidate or one of the sampled entries.
     *
     * @param candidate its hash, or NONE
     * @param sample the hashes of some entries
     * @param size number of sampled entries, at least 1
     * @return a hash
     */
    long victim(long candidate, long[] sample, int size) {
        if (prefersRecent()) {
            return oldest(sample, size);
        }
        long victim = NONE;
        int least = Integer.MAX_VALUE;
        int age = 0;
        for (int i = 0; i < size; i++) {
            long hash = sample[i];
            int ticks = recency.age(hash);
            if (hash == candidate || ticks < WINDOW_TICKS) {
                continue;
            }
            int uses = frequency.count(hash);
            if (uses < least || uses == least && ticks > age) {
                least = uses;
                age = ticks;
                victim = hash;
            }
        }
        if (victim == NONE) {
            victim = oldest(sample, size);
            least = frequency.count(victim);
        }
        return candidate == NONE || isAdmitted(frequency.count(candidate), least) ? victim : candidate;
    }

    private boolean isAdmitted(int uses, int least) {
        return uses > least + MARGIN || uses >= CHANCE_USES && (++decisions & CHANCE_MASK) == 0;
    }

    private long oldest(long[] sample, int size) {
        long oldest = sample[0];
        int age = -1;
        for (int i = 0; i < size; i++) {
            int ticks = recency.age(sample[i]);
            if (ticks > age) {
                age = ticks;
                oldest = sample[i];
            }
        }
        return oldest;
    }

    /** Appends the hashes of a bucket to a sample; returns the number of hashes. */
    static int sample(StampedBucket bucket, long[] sample, int size) {
        int count = Math.min(bucket.count(), sample.length - size);
        for (int i = 0; i < count; i++) {
            sample[size + i] = bucket.hash(i);
        }
        return size + count;
    }
}
