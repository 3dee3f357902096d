package io.teff.engine.chunk;

import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.FailureText;
import io.teff.engine.table.EntryWord;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Changes of many chunks. Each chunk is changed and recorded separately; the thread waits once, at the end, until all
 * changes are as durable as the store is configured to make them. The arguments have been checked by the caller.
 * Thread-safe.
 */
public final class BatchChanges {
    private final Changes changes;
    private final BatchReads reads;

    /**
     * Creates the batch changes of a store.
     *
     * @param changes makes single changes
     * @param reads looks up groups of chunks
     */
    public BatchChanges(Changes changes, BatchReads reads) {
        this.changes = changes;
        this.reads = reads;
    }

    /**
     * Creates chunks.
     *
     * @param source contents, concatenated from offset 0; null for zeros
     * @param lengths length of each chunk in bytes; null if all have equal lengths
     * @param oneLength length of each chunk in bytes, if {@code lengths} is null
     * @param cids receives the CIDs, and FULL for chunks that were not created
     * @param from first index to use in {@code cids}
     * @param count number of chunks
     * @param isConsecutive whether the CIDs must be consecutive
     * @return the number of chunks that were created
     */
    public int create(@Nullable MemorySegment source, int @Nullable [] lengths, long oneLength, long[] cids, int from,
                      int count, boolean isConsecutive) {
        Arrays.fill(cids, from, from + count, Status.FULL);
        int created = 0;
        try {
            if (isConsecutive && count > 0) {
                changes.begin();
                created = changes.steps().creates().createRange(source, lengths, oneLength, cids, from, count);
            } else {
                created = createEach(source, lengths, oneLength, cids, from, count);
            }
        } catch (StoreException e) {
            throw refused(e, created(cids, from, count), count);
        }
        return changes.done(created);
    }

    private int createEach(@Nullable MemorySegment source, int @Nullable [] lengths, long oneLength, long[] cids,
                           int from, int count) {
        Creates creates = changes.steps().creates();
        long at = 0;
        for (int i = 0; i < count; i++) {
            long length = lengths == null ? oneLength : lengths[i];
            changes.begin();
            cids[from + i] = creates.create(source, at, length, EntryWord.PLAIN);
            if (cids[from + i] == Status.FULL) {
                return i;
            }
            at += length;
        }
        return count;
    }

    /** Returns the number of chunks that have a CID. */
    private static int created(long[] cids, int from, int count) {
        int created = 0;
        while (created < count && cids[from + created] != Status.FULL) {
            created++;
        }
        return created;
    }

    /** Returns the exception for a batch that was refused after some of its chunks were changed. */
    private static StoreException refused(StoreException e, int done, int count) {
        return done == 0 ? e
            : new StoreException(e.category(), "refused after " + done + " of the batch's " + count + " chunks, at the "
                + "next one: " + FailureText.of(e), e);
    }

    /**
     * Replaces the contents of chunks.
     *
     * @param cids the chunks
     * @param from first index to use in {@code cids}
     * @param source contents, concatenated from offset 0
     * @param lengths length of each content in bytes
     * @param statuses receives OK or a status for each chunk
     * @return the number of OK chunks
     */
    public int put(long[] cids, int from, MemorySegment source, int[] lengths, int[] statuses) {
        final int count = lengths.length;
        final long[] lookups = BatchReads.lookups();
        final Writes writes = changes.steps().writes();
        int good = 0;
        int i = 0;
        try {
            for (long at = 0; i < count; at += lengths[i++]) {
                if (i % Thresholds.BATCH_GROUP == 0) {
                    reads.lookUp(cids, from + i, Math.min(Thresholds.BATCH_GROUP, count - i), lookups);
                }
                changes.begin();
                statuses[i] = writes.put(cids[from + i], source, at, lengths[i]);
                good += statuses[i] == Status.OK ? 1 : 0;
            }
        } catch (StoreException e) {
            throw refused(e, i, count);
        }
        return changes.done(good);
    }

    /**
     * Removes chunks.
     *
     * @param cids the chunks
     * @param from first index to use in {@code cids}
     * @param count number of chunks
     * @param results receives the removed length or a status for each chunk
     * @return the number of chunks that were removed
     */
    public int remove(long[] cids, int from, int count, long[] results) {
        final long[] lookups = BatchReads.lookups();
        final Writes writes = changes.steps().writes();
        int good = 0;
        int i = 0;
        try {
            for (; i < count; i++) {
                if (i % Thresholds.BATCH_GROUP == 0) {
                    reads.lookUp(cids, from + i, Math.min(Thresholds.BATCH_GROUP, count - i), lookups);
                }
                changes.beginRemoval();
                results[i] = writes.remove(cids[from + i]);
                good += results[i] >= 0 ? 1 : 0;
            }
        } catch (StoreException e) {
            throw refused(e, i, count);
        }
        return changes.done(good);
    }

    /**
     * Resizes chunks.
     *
     * @param cids the chunks
     * @param from first index to use in {@code cids}
     * @param lengths new length of each chunk in bytes
     * @param statuses receives OK or a status for each chunk
     * @return the number of OK chunks
     */
    public int resize(long[] cids, int from, long[] lengths, int[] statuses) {
        final int count = lengths.length;
        final Writes writes = changes.steps().writes();
        int good = 0;
        int i = 0;
        try {
            for (; i < count; i++) {
                changes.begin();
                statuses[i] = writes.resize(cids[from + i], lengths[i]);
                good += statuses[i] == Status.OK ? 1 : 0;
            }
        } catch (StoreException e) {
            throw refused(e, i, count);
        }
        return changes.done(good);
    }
}
