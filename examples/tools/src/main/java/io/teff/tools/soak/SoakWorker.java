package io.teff.tools.soak;

import io.teff.engine.Store;
import io.teff.tools.load.ChunkContent;
import java.util.SplittableRandom;

/**
 * An owner of chunks, and its operations on them in each phase of a cycle. Phases run one after the other, each on any
 * thread; in a phase, workers run in parallel.
 *
 * <pre>
 *  small    its share of --chunks; all present at the end of a cycle
 *  large    few, {@value #LARGE_MIN} to {@value #LARGE_MAX} bytes: runs of units, and copies under a lock
 *  guests   present between shrink and refill only, of lengths that no other chunk has: their memory must be reused
 * </pre>
 */
final class SoakWorker {
    /** Lowest bit of the set's kind in a chunk's number; the bits below are the slot. */
    static final int KIND_SHIFT = 32;
    /** Lowest bit of the owner in a chunk's number. */
    static final int OWNER_SHIFT = 40;

    private static final int LARGE_SLOTS = 24;
    private static final int LARGE_MIN = 2_000;
    private static final int LARGE_MAX = 100_000;
    private static final int GUEST_MIN = 200;
    private static final int GUEST_MAX = 1_000;
    private static final int SMALL_PER_GUEST = 40;
    /** Steps on a large chunk, per 1,000 steps. */
    private static final int LARGE_STEPS = 5;

    private final Store store;
    private final int index;
    private final SharedChunks shared;
    private final SoakWorker[] peers;
    private final SplittableRandom random;
    private final OwnedChunks small;
    private final OwnedChunks large;
    private final OwnedChunks guests;
    private final ChunkBatches batches;
    private final ChunkBatches largeBatches;
    private final PinnedChunks pinned;
    private final int[] slots;
    private final byte[] buffer;
    private long steps;
    private long verified;

    SoakWorker(Store store, SoakPlan plan, int index, SharedChunks shared, SoakWorker[] peers) {
        this.store = store;
        this.index = index;
        this.shared = shared;
        this.peers = peers;
        this.random = new SplittableRandom(plan.seed() * OWNER_SHIFT + index);
        int quota = plan.quota(index);
        this.small = set(plan, 0, quota, plan.minSize(), plan.maxSize());
        this.large = set(plan, 1, LARGE_SLOTS, LARGE_MIN, LARGE_MAX);
        this.guests = set(plan, 2, quota / SMALL_PER_GUEST, GUEST_MIN, GUEST_MAX);
        this.batches = new ChunkBatches(store, small);
        this.largeBatches = new ChunkBatches(store, large);
        this.pinned = new PinnedChunks(store, small);
        this.slots = new int[batches.size()];
        this.buffer = new byte[plan.maxSize()];
    }

    private OwnedChunks set(SoakPlan plan, int kind, int count, int minSize, int maxSize) {
        long first = (long) index << OWNER_SHIFT | (long) kind << KIND_SHIFT;
        return new OwnedChunks(store, new ChunkContent(plan.seed(), minSize, maxSize), first, count);
    }

    // ---- the model, at quiet points ----

    long chunks() {
        return (long) small.chunks() + large.chunks() + guests.chunks();
    }

    long payloadBytes() {
        return small.payloadBytes() + large.payloadBytes() + guests.payloadBytes();
    }

    long steps() {
        return steps;
    }

    /** {@return the number of chunks compared byte by byte, those of other workers included} */
    long verified() {
        return verified;
    }

    // ---- phases ----

    /** Runs as many random steps as this worker has small chunks. */
    void load() {
        for (int i = 0; i < small.slots(); i++) {
            step();
        }
        pinned.releaseAll();
    }

    /** Removes a share of the chunks: single ones or stretches of neighbours, one by one or in batches. */
    void shrink(int percent) {
        boolean stretches = random.nextBoolean();
        boolean remove = false;
        int stretch = 0;
        int count = 0;
        for (int slot = 0; slot < small.slots(); slot++) {
            if (stretch-- <= 0) {
                remove = random.nextInt(100) < percent;
                stretch = stretches ? random.nextInt(1_000) : 0;
            }
            if (remove) {
                slots[count++] = slot;
                if (count == slots.length) {
                    removeAll(count);
                    count = 0;
                }
            }
        }
        removeAll(count);
        for (int slot = 0; slot < guests.slots(); slot++) {
            guests.create(slot);
        }
    }

    private void removeAll(int count) {
        if (random.nextBoolean()) {
            batches.remove(slots, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            small.remove(slots[i]);
        }
    }

    /** Fills all empty slots, and replaces half of the remaining chunks, so that no chunk exists for many cycles. */
    void refill() {
        int count = 0;
        for (int slot = 0; slot < small.slots(); slot++) {
            if (!small.isEmpty(slot)) {
                if (random.nextBoolean()) {
                    small.replace(slot);
                }
                continue;
            }
            slots[count++] = slot;
            if (count == slots.length) {
                createAll(count);
                count = 0;
            }
        }
        createAll(count);
        for (int slot = 0; slot < large.slots(); slot++) {
            if (large.isEmpty(slot)) {
                large.create(slot);
            } else {
                large.replace(slot);
            }
        }
        for (int slot = 0; slot < guests.slots(); slot++) {
            if (!guests.isEmpty(slot)) {
                guests.verify(slot);
                guests.remove(slot);
            }
        }
    }

    private void createAll(int count) {
        int form = random.nextInt(64);
        if (form < 32) {
            batches.create(slots, count, form == 0);             // rare: consecutive CIDs are never reused indexes
            return;
        }
        for (int i = 0; i < count; i++) {
            if (form < 40) {
                small.createAtReserved(slots[i]);
            } else {
                small.create(slots[i]);
            }
        }
    }

    /** Reads and verifies every chunk in a store: the run's own, or one restored from its snapshot. */
    void verify(Store source) {
        batches.verifyAll(source);
        largeBatches.verifyAll(source);
        verified += chunks();
    }

    // ---- one step ----

    private void step() {
        steps++;
        int dice = random.nextInt(1_000);
        if (dice < LARGE_STEPS) {
            stepLarge();
            return;
        }
        if (dice < 380) {
            SoakWorker peer = peers[random.nextInt(peers.length)];
            verified += peer.glance(random, buffer) ? 1 : 0;
            return;
        }
        if (dice < 500) {
            shared.step(index, random);
            return;
        }
        int slot = random.nextInt(small.slots());
        if (small.isEmpty(slot) || pinned.contains(slot)) {
            return;
        }
        if (dice < 900) {
            change(dice, slot);
        } else {
            look(dice, slot);
        }
    }

    private void change(int dice, int slot) {
        if (dice < 690) {
            small.put(slot);
        } else if (dice < 800) {
            small.replace(slot);
        } else if (dice < 870) {
            small.resize(slot);
        } else if (dice < 880) {
            small.putLocked(slot, Timeouts.LOCK_NS);
        } else if (dice < 885) {
            batches.put(slots, neighbours(slot));
        } else if (dice < 890) {
            batches.resize(slots, neighbours(slot));
        } else {
            pinned.pin(slot);
        }
    }

    private void look(int dice, int slot) {
        verified++;
        if (dice < 920) {
            small.verify(slot);
        } else if (dice < 940) {
            small.verifyByView(slot);
        } else if (dice < 960) {
            small.verifyByPeek(slot);
        } else if (dice < 980) {
            small.verifyByParts(slot);
        } else {
            batches.verify(slots, neighbours(slot));
        }
    }

    /** Collects slots of chunks that are not pinned for the next batch, from a slot on; returns their number. */
    private int neighbours(int first) {
        int count = 0;
        for (int slot = first; slot < small.slots() && count < slots.length / 2; slot++) {
            if (!small.isEmpty(slot) && !pinned.contains(slot)) {
                slots[count++] = slot;
            }
        }
        return count;
    }

    private void stepLarge() {
        int slot = random.nextInt(large.slots());
        if (large.isEmpty(slot)) {
            return;
        }
        switch (random.nextInt(5)) {
            case 0 -> large.put(slot);
            case 1 -> large.replace(slot);
            case 2 -> large.resize(slot);
            case 3 -> large.verifyByView(slot);
            default -> large.verify(slot);
        }
    }

    /** Gets and verifies one of this worker's chunks, on any thread; returns whether there was one. */
    boolean glance(SplittableRandom chance, byte[] target) {
        return small.slots() > 0 && small.glance(chance.nextInt(small.slots()), target);
    }
}
