package io.teff.tools.soak;

import io.teff.engine.Store;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Batch operations of one owner on its {@link OwnedChunks}, on up to {@link #size()} slots at once, with the same
 * changes and checks as single operations. For one thread.
 */
final class ChunkBatches {
    private static final int CHUNKS_MAX = 64;
    private static final int BYTES_MAX = 1 << 20;

    private final Store store;
    private final OwnedChunks set;
    private final int size;
    private final byte[] contents;
    private final long[] cids;
    private final int[] lengths;
    private final long[] results;
    private final int[] group;

    ChunkBatches(Store store, OwnedChunks set) {
        this.store = store;
        this.set = set;
        this.size = Math.clamp(BYTES_MAX / set.content().sizeMax(), 1, CHUNKS_MAX);
        this.contents = new byte[size * set.content().sizeMax()];
        this.cids = new long[size];
        this.lengths = new int[size];
        this.results = new long[size];
        this.group = new int[size];
    }

    /** {@return the maximum number of slots of a batch} */
    int size() {
        return size;
    }

    /** Creates the chunks of empty slots, with consecutive CIDs if {@code consecutive}. */
    void create(int[] slots, int count, boolean consecutive) {
        int[] sizes = fillNext(slots, count);
        store.batch().create(MemorySegment.ofArray(contents), sizes, cids, 0, consecutive);
        for (int i = 0; i < count; i++) {
            set.created(slots[i], cids[i]);
        }
    }

    void put(int[] slots, int count) {
        int[] sizes = fillNext(slots, count);
        readCids(slots, count);
        int[] statuses = new int[count];
        store.batch().put(cids, 0, MemorySegment.ofArray(contents), sizes, statuses);
        for (int i = 0; i < count; i++) {
            set.changed(slots[i], statuses[i]);
        }
    }

    private int[] fillNext(int[] slots, int count) {
        int[] sizes = new int[count];
        int offset = 0;
        for (int i = 0; i < count; i++) {
            sizes[i] = set.fillNext(slots[i], contents, offset);
            offset += sizes[i];
        }
        return sizes;
    }

    /** Resizes the chunks of the slots that can be resized next, and ignores the others. */
    void resize(int[] slots, int count) {
        int able = 0;
        for (int i = 0; i < count; i++) {
            if (set.nextResize(slots[i]) >= 0) {
                group[able++] = slots[i];
            }
        }
        long[] sizes = new long[able];
        for (int i = 0; i < able; i++) {
            sizes[i] = set.nextResize(group[i]);
        }
        readCids(group, able);
        int[] statuses = new int[able];
        store.batch().resize(cids, 0, sizes, statuses);
        for (int i = 0; i < able; i++) {
            set.resized(group[i], statuses[i]);
        }
    }

    void remove(int[] slots, int count) {
        for (int i = 0; i < count; i++) {
            cids[i] = set.clear(slots[i]);
        }
        store.batch().remove(cids, 0, count, results);
        for (int i = 0; i < count; i++) {
            set.removed(slots[i], cids[i], results[i]);
        }
    }

    void verify(int[] slots, int count) {
        verify(store, slots, count);
    }

    /** Verifies all chunks of the set in a store: the run's own, or one restored from its snapshot. */
    void verifyAll(Store source) {
        int[] slots = new int[size];
        int count = 0;
        for (int slot = 0; slot < set.slots(); slot++) {
            if (!set.isEmpty(slot)) {
                slots[count++] = slot;
                if (count == size) {
                    verify(source, slots, count);
                    count = 0;
                }
            }
        }
        verify(source, slots, count);
    }

    private void verify(Store source, int[] slots, int count) {
        readCids(slots, count);
        Arrays.fill(lengths, 0);
        source.batch().get(cids, 0, count, contents, 0, lengths);
        int offset = 0;
        for (int i = 0; i < count; i++) {
            set.compare("batch get", slots[i], contents, offset, lengths[i]);
            offset += lengths[i];
        }
    }

    private void readCids(int[] slots, int count) {
        for (int i = 0; i < count; i++) {
            cids[i] = set.cid(slots[i]);
        }
    }
}
