package io.teff.engine;

import io.teff.engine.check.Arguments;
import io.teff.engine.chunk.ChangeLog;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.chunk.Creates;
import io.teff.engine.chunk.Reads;
import io.teff.engine.chunk.Thresholds;
import io.teff.engine.chunk.Writes;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.Words;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Operations on many chunks at once.
 *
 * <p>A batch is not atomic; each of its chunks is. They work in passes over small groups, so that the cache misses of
 * a group overlap: all entries first, then the ends of each payload, then the work itself.
 *
 * <p>Arrays of CIDs are used from {@code from} for {@code count} elements; results go to the elements at the same
 * distance from the start of their own array's range. Thread-safe.
 *
 * <p>Where changes are kept, in a durable store, a batch may be refused midway, by a {@link StoreException}. Its
 * message says after how many chunks: those are the first ones, and what became of them is in the array of CIDs or
 * statuses.
 */
public final class Batch {
    private static final int BEGUN = 0;
    private static final int WORDS = Thresholds.BATCH_GROUP;
    private static final int SUM = 2 * Thresholds.BATCH_GROUP;
    /** What a group's look-ups gave: stripe words, entries, a sum. By thread, so that a batch allocates nothing. */
    private static final ThreadLocal<long[]> SCRATCH = ThreadLocal.withInitial(() -> new long[SUM + 1]);

    private final ChunkSpace space;
    private final Stripes stripes;
    private final long base;
    private final Words words;
    private final long stripesStart;
    private final long stripesMask;
    private final long creator;
    private final Reads reads;
    private final Creates creates;
    private final Writes writes;
    private final Fields fields;
    private final ChangeLog log;
    /** Keeps the store open while only this object of it is used. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final StoreHandle handle;

    Batch(StoreHandle handle, Core core, Fields fields) {
        this.space = core.space;
        this.log = core.log;
        this.fields = fields;

        this.handle = handle;
        this.stripes = space.stripes;
        this.base = space.memory.placeOfZero();
        this.words = stripes.words();
        this.stripesStart = words.start();
        this.stripesMask = stripes.mask();
        this.creator = CidLayout.creator(space.own.nid());
        this.reads = core.reads;
        this.creates = core.creates;
        this.writes = core.writes;
    }

    // ---- create ----

    /**
     * Makes chunks of zeros, all of one length.
     *
     * @param length bytes of each
     * @param cids where the CIDs go
     * @param from first index
     * @param count how many
     * @param consecutive whether the CIDs must follow each other
     * @return how many were made; the CIDs of the others are set to {@code Status.FULL}
     */
    public int create(long length, long[] cids, int from, int count, boolean consecutive) {
        Arguments.checkLength(length);
        Arguments.checkRange(cids.length, from, count);
        Arrays.fill(cids, from, from + count, Status.FULL);
        int made = 0;
        try {
            if (consecutive && count > 0) {
                made = creates.createRange(null, null, length, cids, from, count);
            } else {
                while (made < count && createNext(null, 0, length, cids, from + made)) {
                    made++;
                }
            }
        } catch (StoreException e) {
            throw refused(e, made(cids, from, count), count);
        }
        return log.done(made);
    }

    /**
     * Makes chunks of many lengths.
     *
     * @param source the contents, one behind the other from offset 0; null for zeros
     * @param lengths bytes of each; its size says how many
     * @param cids where the CIDs go
     * @param from first index
     * @param consecutive whether the CIDs must follow each other
     * @return how many were made; the CIDs of the others are set to {@code Status.FULL}
     */
    public int create(@Nullable MemorySegment source, int[] lengths, long[] cids, int from, boolean consecutive) {
        int count = lengths.length;
        Arguments.checkRange(cids.length, from, count);
        long total = 0;
        for (int length : lengths) {
            Arguments.checkLength(length);
            total += length;
        }
        if (source != null) {
            Arguments.checkRange(source.byteSize(), 0, total);
        }
        Arrays.fill(cids, from, from + count, Status.FULL);
        int made = 0;
        try {
            if (consecutive && count > 0) {
                made = creates.createRange(source, lengths, 0, cids, from, count);
            } else {
                for (long at = 0; made < count && createNext(source, at, lengths[made], cids, from + made); made++) {
                    at += lengths[made];
                }
            }
        } catch (StoreException e) {
            throw refused(e, made(cids, from, count), count);
        }
        return log.done(made);
    }

    /** False if there is no room. */
    private boolean createNext(@Nullable MemorySegment source, long at, long length, long[] cids, int index) {
        cids[index] = creates.create(source, at, length, EntryWord.PLAIN);
        return cids[index] != Status.FULL;
    }

    /** How many have a CID. */
    private static int made(long[] cids, int from, int count) {
        int made = 0;
        while (made < count && cids[from + made] != Status.FULL) {
            made++;
        }
        return made;
    }

    /** What to throw for a batch that was refused when some of it was done. */
    private static StoreException refused(StoreException e, int done, int count) {
        return done == 0 ? e
            : new StoreException(e.category(), "refused after " + done + " of the batch's " + count + " chunks", e);
    }

    // ---- get ----

    /**
     * Gets chunks, one behind the other.
     *
     * @param cids the chunks
     * @param from first index
     * @param count how many
     * @param target where the contents go, from {@code offset}
     * @param offset first byte in the target
     * @param lengths gets each chunk's length or status at index 0 to count - 1; TOO_SMALL for one that does not fit
     *     into what is left of the target, or is longer than an int
     * @return bytes written to the target
     */
    public long get(long[] cids, int from, int count, MemorySegment target, long offset, int[] lengths) {
        Arguments.checkRange(cids.length, from, count);
        Arguments.checkRange(lengths.length, 0, count);
        Arguments.checkRange(target.byteSize(), offset, 0);
        final long[] scratch = SCRATCH.get();
        long at = offset;
        for (int done = 0; done < count; done += Thresholds.BATCH_GROUP) {
            int group = Math.min(Thresholds.BATCH_GROUP, count - done);
            lookUp(cids, from + done, group, scratch);
            for (int i = done; i < done + group; i++) {
                long length = reads.getInto(cids[from + i], target, at);
                lengths[i] = length > Integer.MAX_VALUE ? Status.TOO_SMALL : (int) length;
                at += Math.max(lengths[i], 0);
            }
        }
        return at - offset;
    }

    /**
     * The same, into an array.
     *
     * @param cids the chunks
     * @param from first index
     * @param count how many
     * @param target where the contents go
     * @param offset first index in the target
     * @param lengths gets each chunk's length or status
     * @return bytes written to the target
     */
    public int get(long[] cids, int from, int count, byte[] target, int offset, int[] lengths) {
        Arguments.checkRange(cids.length, from, count);
        Arguments.checkRange(lengths.length, 0, count);
        Arguments.checkRange(target.length, offset, 0);
        final long[] scratch = SCRATCH.get();
        int at = offset;
        for (int done = 0; done < count; done += Thresholds.BATCH_GROUP) {
            int group = Math.min(Thresholds.BATCH_GROUP, count - done);
            lookUp(cids, from + done, group, scratch);
            at = copyGroup(cids, from + done, group, scratch, target, at, lengths, done);
        }
        return at - offset;
    }

    /** Copies what was looked up; whatever is not plain, or changed meanwhile, is read like a single chunk. */
    private int copyGroup(long[] cids, int from, int group, long[] scratch, byte[] target, int offset, int[] lengths,
                          int first) {
        final Memory memory = space.memory;
        int at = offset;
        for (int i = 0; i < group; i++) {
            final long word = scratch[WORDS + i];
            int length = EntryWord.length(word);
            if (Memory.isShort(length, target, at)) {
                Memory.copyOutShort(memory, base + EntryWord.address(word), target, at, length);
                final long place = Stripes.place(stripesStart, stripesMask, cids[from + i]);
                if (!Stripes.isStill(words, place, scratch[BEGUN + i])) {
                    length = reads.get(cids[from + i], target, at);
                }
            } else {
                length = reads.get(cids[from + i], target, at);
            }
            lengths[first + i] = length;
            at += Math.max(length, 0);
        }
        return at;
    }

    /**
     * Reads the same 64-bit field of many chunks.
     *
     * @param cids the chunks
     * @param from first index
     * @param count how many
     * @param fieldOffset first byte of the field in each chunk
     * @param ifAbsent value for CIDs without a chunk
     * @param values gets the values at index 0 to count - 1
     * @throws IndexOutOfBoundsException if the field is not inside of one of the chunks
     */
    public void getLong(long[] cids, int from, int count, long fieldOffset, long ifAbsent, long[] values) {
        Arguments.checkRange(cids.length, from, count);
        Arguments.checkRange(values.length, 0, count);
        final long[] scratch = SCRATCH.get();
        for (int i = 0; i < count; i++) {
            if (i % Thresholds.BATCH_GROUP == 0) {
                lookUp(cids, from + i, Math.min(Thresholds.BATCH_GROUP, count - i), scratch);
            }
            values[i] = fields.getLong(cids[from + i], fieldOffset, ifAbsent);
        }
    }

    /**
     * Looks up a group in passes that are as short as can be, so that as many cache misses as possible overlap: the
     * entries, then what they say, then the first and last byte of each payload.
     *
     * @param scratch gets the stripes' words and the entries; an entry that is not proven readable is 0
     */
    private void lookUp(long[] cids, int from, int group, long[] scratch) {
        final Memory memory = space.memory;
        final Table own = space.own;
        stripes.begin(stripes.of(cids[from]));                  // throws if the store is closed
        long sum = 0;
        for (int i = 0; i < group; i++) {
            final long page = own.nearPage(cids[from + i]);
            sum += Table.isPage(page) ? Memory.getLongThenFence(memory, Table.entryIn(page, cids[from + i])) : 0;
        }
        for (int i = 0; i < group; i++) {
            final long cid = cids[from + i];
            final long place = Stripes.place(stripesStart, stripesMask, cid);
            final long begun = Stripes.word(words, place);
            final long page = own.nearPage(cid);
            final long word = Table.isPage(page) ? Memory.getLongThenFence(memory, Table.entryIn(page, cid)) : 0;
            final boolean proven = EntryWord.isReadable(word, cid, creator) && EntryWord.isEmbedded(word)
                && Stripes.isProven(words, place, begun);
            scratch[BEGUN + i] = begun;
            scratch[WORDS + i] = proven ? word : 0;
        }
        for (int i = 0; i < group; i++) {
            final long word = scratch[WORDS + i];
            if (word != 0) {
                final long address = EntryWord.address(word);
                sum += memory.getFieldByte(address) + memory.getFieldByte(address + EntryWord.length(word) - 1);
            }
        }
        scratch[SUM] = sum;                                     // keeps the JIT from dropping the loads
    }

    // ---- put, remove, resize, exists, size ----

    /**
     * Puts chunks.
     *
     * @param cids the chunks
     * @param from first index
     * @param source the contents, one behind the other from offset 0
     * @param lengths bytes of each; its size says how many
     * @param statuses gets each put's status
     * @return how many were OK
     */
    public int put(long[] cids, int from, MemorySegment source, int[] lengths, int[] statuses) {
        int count = lengths.length;
        Arguments.checkRange(cids.length, from, count);
        Arguments.checkRange(statuses.length, 0, count);
        long total = 0;
        for (int length : lengths) {
            Arguments.checkLength(length);
            total += length;
        }
        Arguments.checkRange(source.byteSize(), 0, total);
        final long[] scratch = SCRATCH.get();
        int good = 0;
        int i = 0;
        try {
            for (long at = 0; i < count; at += lengths[i++]) {
                if (i % Thresholds.BATCH_GROUP == 0) {
                    lookUp(cids, from + i, Math.min(Thresholds.BATCH_GROUP, count - i), scratch);
                }
                statuses[i] = writes.put(cids[from + i], source, at, lengths[i]);
                good += statuses[i] == Status.OK ? 1 : 0;
            }
        } catch (StoreException e) {
            throw refused(e, i, count);
        }
        return log.done(good);
    }

    /**
     * Removes chunks.
     *
     * @param cids the chunks
     * @param from first index
     * @param count how many
     * @param results gets each chunk's removed length or status
     * @return how many were removed
     */
    public int remove(long[] cids, int from, int count, long[] results) {
        Arguments.checkRange(cids.length, from, count);
        Arguments.checkRange(results.length, 0, count);
        final long[] scratch = SCRATCH.get();
        int good = 0;
        int i = 0;
        try {
            for (; i < count; i++) {
                if (i % Thresholds.BATCH_GROUP == 0) {
                    lookUp(cids, from + i, Math.min(Thresholds.BATCH_GROUP, count - i), scratch);
                }
                results[i] = writes.remove(cids[from + i]);
                good += results[i] >= 0 ? 1 : 0;
            }
        } catch (StoreException e) {
            throw refused(e, i, count);
        }
        return log.done(good);
    }

    /**
     * Resizes chunks.
     *
     * @param cids the chunks
     * @param from first index
     * @param lengths the new lengths; its size says how many
     * @param statuses gets each resize's status
     * @return how many were OK
     */
    public int resize(long[] cids, int from, long[] lengths, int[] statuses) {
        int count = lengths.length;
        Arguments.checkRange(cids.length, from, count);
        Arguments.checkRange(statuses.length, 0, count);
        for (long length : lengths) {
            Arguments.checkLength(length);
        }
        int good = 0;
        int i = 0;
        try {
            for (; i < count; i++) {
                statuses[i] = writes.resize(cids[from + i], lengths[i]);
                good += statuses[i] == Status.OK ? 1 : 0;
            }
        } catch (StoreException e) {
            throw refused(e, i, count);
        }
        return log.done(good);
    }

    /**
     * Sizes of chunks.
     *
     * @param cids the chunks
     * @param from first index
     * @param count how many
     * @param sizes gets each chunk's length or ABSENT
     * @return how many exist
     */
    public int size(long[] cids, int from, int count, long[] sizes) {
        Arguments.checkRange(cids.length, from, count);
        Arguments.checkRange(sizes.length, 0, count);
        int exist = 0;
        for (int i = 0; i < count; i++) {
            sizes[i] = reads.size(cids[from + i]);
            exist += sizes[i] >= 0 ? 1 : 0;
        }
        return exist;
    }

    /**
     * Tells which chunks exist.
     *
     * @param cids the chunks
     * @param from first index
     * @param count how many
     * @param exist gets each answer
     * @return how many exist
     */
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
