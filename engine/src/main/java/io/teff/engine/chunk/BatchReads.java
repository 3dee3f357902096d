package io.teff.engine.chunk;

import io.teff.engine.error.Status;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.Words;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import io.teff.engine.table.Zone;
import java.lang.foreign.MemorySegment;

/**
 * Reads of many chunks. The chunks are read in passes over groups of {@link Thresholds#BATCH_GROUP}, so that the cache
 * misses of a group overlap: all entries first, then the ends of each payload, then the reads themselves. Thread-safe.
 */
public final class BatchReads {
    private static final int BEGUN = 0;
    private static final int WORDS = Thresholds.BATCH_GROUP;
    private static final int SUM = 2 * Thresholds.BATCH_GROUP;
    /** A group's look-ups: stripe words, entries, a sum. One per thread, so that a batch allocates nothing. */
    private static final ThreadLocal<long[]> LOOKUPS = ThreadLocal.withInitial(() -> new long[SUM + 1]);

    private final Stripes stripes;
    private final Memory memory;
    private final Table own;
    private final long base;
    private final Words words;
    private final long stripesStart;
    private final long stripesMask;
    private final long creator;
    private final Reads reads;

    /**
     * Creates the batch reads of a store.
     *
     * @param space the store's chunks
     * @param zone the zone whose chunks are read fastest
     * @param reads reads single chunks
     */
    public BatchReads(ChunkSpace space, Zone zone, Reads reads) {
        this.stripes = space.stripes;
        this.memory = space.memory;
        this.own = zone.table();
        this.base = memory.placeOfZero();
        this.words = stripes.words();
        this.stripesStart = words.start();
        this.stripesMask = stripes.mask();
        this.creator = CidLayout.creator(own.nid());
        this.reads = reads;
    }

    /** {@return the calling thread's array for {@link #lookUp}} */
    public static long[] lookups() {
        return LOOKUPS.get();
    }

    /**
     * Copies chunks to consecutive ranges of the target, with arguments checked as {@code Batch.get}; returns the bytes
     * copied.
     */
    public long get(long[] cids, int from, int count, MemorySegment target, long offset, int[] lengths) {
        final long[] lookups = LOOKUPS.get();
        long at = offset;
        for (int done = 0; done < count; done += Thresholds.BATCH_GROUP) {
            int group = Math.min(Thresholds.BATCH_GROUP, count - done);
            lookUp(cids, from + done, group, lookups);
            for (int i = done; i < done + group; i++) {
                long length = reads.getInto(cids[from + i], target, at);
                lengths[i] = length > Integer.MAX_VALUE ? Status.TOO_SMALL : (int) length;
                at += Math.max(lengths[i], 0);
            }
        }
        return at - offset;
    }

    /**
     * Copies chunks to consecutive ranges of the target, with arguments checked as {@code Batch.get}; returns the bytes
     * copied.
     */
    public int get(long[] cids, int from, int count, byte[] target, int offset, int[] lengths) {
        final long[] lookups = LOOKUPS.get();
        int at = offset;
        for (int done = 0; done < count; done += Thresholds.BATCH_GROUP) {
            int group = Math.min(Thresholds.BATCH_GROUP, count - done);
            lookUp(cids, from + done, group, lookups);
            at = copyGroup(cids, from + done, group, lookups, target, at, lengths, done);
        }
        return at - offset;
    }

    /**
     * Copies chunks that were looked up. A chunk that is not plain, or that changed meanwhile, is read like a single
     * chunk.
     */
    private int copyGroup(long[] cids, int from, int group, long[] lookups, byte[] target, int offset, int[] lengths,
                          int first) {
        final Memory memory = this.memory;
        int at = offset;
        for (int i = 0; i < group; i++) {
            final long word = lookups[WORDS + i];
            int length = EntryWord.length(word);
            if (Memory.isShort(length, target, at)) {
                Memory.copyOutShort(memory, base + EntryWord.address(word), target, at, length);
                final long place = Stripes.place(stripesStart, stripesMask, cids[from + i]);
                if (!Stripes.isStill(words, place, lookups[BEGUN + i])) {
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
     * Looks up a group in passes that are as short as possible, so that as many cache misses as possible overlap: load
     * the entries, then decode them, then load the first and last byte of each payload.
     *
     * @param cids the chunks
     * @param from first index to use in {@code cids}
     * @param group number of chunks, 1 to {@link Thresholds#BATCH_GROUP}
     * @param lookups receives the stripes' words and the entries; an entry that is not proven readable is 0
     */
    public void lookUp(long[] cids, int from, int group, long[] lookups) {
        final Memory memory = this.memory;
        final Table own = this.own;
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
            lookups[BEGUN + i] = begun;
            lookups[WORDS + i] = proven ? word : 0;
        }
        for (int i = 0; i < group; i++) {
            final long word = lookups[WORDS + i];
            if (word != 0) {
                final long address = EntryWord.address(word);
                sum += memory.getFieldByte(address) + memory.getFieldByte(address + EntryWord.length(word) - 1);
            }
        }
        lookups[SUM] = sum;                                     // keeps the JIT from dropping the loads
    }
}
