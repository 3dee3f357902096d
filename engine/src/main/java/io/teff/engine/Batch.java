package io.teff.engine;

import io.teff.engine.check.Arguments;
import io.teff.engine.chunk.BatchChanges;
import io.teff.engine.chunk.BatchReads;
import io.teff.engine.chunk.Reads;
import io.teff.engine.chunk.Thresholds;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The operations of {@link BatchOperations} on chunks of this store.
 *
 * <p>A batch works in passes over small groups of chunks, so that the cache misses of a group overlap: the first pass
 * loads all entries, the second the first and last byte of each payload, the third does the operation. Thread-safe.
 */
public final class Batch implements BatchOperations {
    private final Reads reads;
    private final BatchReads batchReads;
    private final BatchChanges changes;
    private final Fields fields;
    /** Keeps the store reachable, and therefore open, while the application can reach this object. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final StoreHandle handle;

    Batch(StoreHandle handle, Core core, Fields fields) {
        this.handle = handle;
        this.reads = core.reads;
        this.batchReads = new BatchReads(core.space, core.zone, core.reads);
        this.changes = new BatchChanges(core.changes, batchReads);
        this.fields = fields;
    }

    // ---- create ----

    @Override
    public int create(long length, long[] cids, int from, int count, boolean consecutive) {
        Arguments.checkLength(length);
        Arguments.checkRange(cids.length, from, count);
        return changes.create(null, null, length, cids, from, count, consecutive);
    }

    @Override
    public int create(@Nullable MemorySegment source, int[] lengths, long[] cids, int from, boolean consecutive) {
        int count = lengths.length;
        Arguments.checkRange(cids.length, from, count);
        long total = checkedSum(lengths);
        if (source != null) {
            Arguments.checkRange(source.byteSize(), 0, total);
        }
        return changes.create(source, lengths, 0, cids, from, count, consecutive);
    }

    /** Checks that no length is negative, and returns the sum of the lengths. */
    private static long checkedSum(int[] lengths) {
        long total = 0;
        for (int length : lengths) {
            Arguments.checkLength(length);
            total += length;
        }
        return total;
    }

    // ---- get ----

    @Override
    public long get(long[] cids, int from, int count, MemorySegment target, long offset, int[] lengths) {
        Arguments.checkRange(cids.length, from, count);
        Arguments.checkRange(lengths.length, 0, count);
        Arguments.checkRange(target.byteSize(), offset, 0);
        return batchReads.get(cids, from, count, target, offset, lengths);
    }

    @Override
    public int get(long[] cids, int from, int count, byte[] target, int offset, int[] lengths) {
        Arguments.checkRange(cids.length, from, count);
        Arguments.checkRange(lengths.length, 0, count);
        Arguments.checkRange(target.length, offset, 0);
        return batchReads.get(cids, from, count, target, offset, lengths);
    }

    @Override
    public void getLong(long[] cids, int from, int count, long fieldOffset, long ifAbsent, long[] values) {
        Arguments.checkRange(cids.length, from, count);
        Arguments.checkRange(values.length, 0, count);
        final long[] lookups = BatchReads.lookups();
        for (int i = 0; i < count; i++) {
            if (i % Thresholds.BATCH_GROUP == 0) {
                batchReads.lookUp(cids, from + i, Math.min(Thresholds.BATCH_GROUP, count - i), lookups);
            }
            values[i] = fields.getLong(cids[from + i], fieldOffset, ifAbsent);
        }
    }

    // ---- put, remove, resize, exists, size ----

    @Override
    public int put(long[] cids, int from, MemorySegment source, int[] lengths, int[] statuses) {
        int count = lengths.length;
        Arguments.checkRange(cids.length, from, count);
        Arguments.checkRange(statuses.length, 0, count);
        Arguments.checkRange(source.byteSize(), 0, checkedSum(lengths));
        return changes.put(cids, from, source, lengths, statuses);
    }

    @Override
    public int remove(long[] cids, int from, int count, long[] results) {
        Arguments.checkRange(cids.length, from, count);
        Arguments.checkRange(results.length, 0, count);
        return changes.remove(cids, from, count, results);
    }

    @Override
    public int resize(long[] cids, int from, long[] lengths, int[] statuses) {
        int count = lengths.length;
        Arguments.checkRange(cids.length, from, count);
        Arguments.checkRange(statuses.length, 0, count);
        for (long length : lengths) {
            Arguments.checkLength(length);
        }
        return changes.resize(cids, from, lengths, statuses);
    }

    @Override
    public int size(long[] cids, int from, int count, long[] sizes) {
        Arguments.checkRange(cids.length, from, count);
        Arguments.checkRange(sizes.length, 0, count);
        int found = 0;
        for (int i = 0; i < count; i++) {
            sizes[i] = reads.size(cids[from + i]);
            found += sizes[i] >= 0 ? 1 : 0;
        }
        return found;
    }

    @Override
    public int exists(long[] cids, int from, int count, boolean[] exist) {
        Arguments.checkRange(cids.length, from, count);
        Arguments.checkRange(exist.length, 0, count);
        int found = 0;
        for (int i = 0; i < count; i++) {
            exist[i] = reads.size(cids[from + i]) >= 0;
            found += exist[i] ? 1 : 0;
        }
        return found;
    }
}
