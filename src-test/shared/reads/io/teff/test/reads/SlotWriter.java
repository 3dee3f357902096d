package io.teff.test.reads;

import io.teff.engine.Store;
import io.teff.engine.error.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** Changes, removes and creates the chunks of an owner, step by step. For one thread. */
public final class SlotWriter {
    private static final int STEPS_BETWEEN_PAUSES = 32;
    private static final long PAUSE_NS = 10_000;

    private final Store store;
    private final Truth truth;
    private final MemorySegment content = Arena.ofAuto().allocate(Content.BYTES_MAX, Long.BYTES);
    private final SplittableRandom random = new SplittableRandom(29);
    private final long[] steps = new long[Truth.SLOTS];

    /** Creates the first chunk of each slot. */
    public SlotWriter(Store store, Truth truth) {
        this.store = store;
        this.truth = truth;
        for (int slot = 0; slot < Truth.SLOTS; slot++) {
            step(slot, Truth.FIRST);
        }
    }

    /** Takes steps until the reader asks for the end; returns their number. */
    public long run() {
        long count = 0;
        while (!truth.isStopped()) {
            final int slot = random.nextInt(Truth.SLOTS);
            step(slot, steps[slot] + 1);
            count++;
            if (count % STEPS_BETWEEN_PAUSES == 0) {
                LockSupport.parkNanos(PAUSE_NS);                // leaves processors to those that serve the reader
            }
        }
        return count;
    }

    /** Takes the next step of a slot. */
    public void next(int slot) {
        step(slot, steps[slot] + 1);
    }

    private void step(int slot, long step) {
        truth.begin(slot, step);
        if (Truth.isCreation(step)) {
            final long cid = store.ids().reserve();
            final int length = Content.write(content, cid, step);
            check(store.ids().createAt(cid, content, 0, length), step);
            truth.cid(slot, step, cid);
        } else {
            final long cid = truth.cid(slot, step);
            check(Truth.isRemoval(step) ? store.remove(cid)
                : store.put(cid, content, 0, Content.write(content, cid, step)), step);
        }
        steps[slot] = step;
        truth.end(slot, step);
    }

    private static void check(long result, long step) {
        if (result < 0) {
            throw new AssertionError("step " + step + ": " + Status.name(result));
        }
    }
}
