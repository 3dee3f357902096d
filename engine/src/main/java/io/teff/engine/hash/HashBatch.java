package io.teff.engine.hash;

import io.teff.engine.lock.StripeWord;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;

/**
 * Brings the buckets and entries of several hashes into the cache, in passes that are as short as possible, so that as
 * many cache misses as possible overlap: first all entry words, then the first line of each bucket, then the entry to
 * which the bucket's tags point. What the passes read decides nothing: a get of each key follows. For one thread.
 */
final class HashBatch {
    /** Largest number of hashes. */
    static final int GROUP = 32;

    private static final int LINE_BYTES = 64;
    /** Bytes of each bucket that the second pass reads. */
    private static final int LOOKED_AT_BYTES = BucketLayout.HEADER_BYTES + Bucket.AT_ONCE;
    /** Largest number of lines of an entry that are read. */
    private static final int LINES_MAX = 4;

    private final LinearHash table;
    private final Table entries;
    private final Memory memory;
    private final long base;
    private final long creator;
    private final long[] hashes = new long[GROUP];
    private final long[] words = new long[GROUP];
    private final HashOperation[] operations = new HashOperation[GROUP];
    /** Sum of what was read, stored so that the loads are not removed. */
    long fetched;

    HashBatch(LinearHash table) {
        this.table = table;
        this.entries = table.entries;
        this.memory = table.chunks.memory();
        this.base = memory.placeOfZero();
        this.creator = CidLayout.creator(entries.nid());
    }

    /** Returns the hashes, to be set by the caller. */
    long[] hashes() {
        return hashes;
    }

    /** Returns an operation for each hash; made by the first call. */
    HashOperation[] operations() {
        for (int i = 0; i < GROUP && operations[i] == null; i++) {
            operations[i] = new HashOperation();
        }
        return operations;
    }

    /** Reads what gets of the first {@code count} hashes will read. */
    void fetch(int count) {
        final Memory memory = this.memory;
        final long buckets = table.index.count();
        long sum = 0;
        for (int i = 0; i < count; i++) {
            final long cid = table.index.cidOf(LinearHash.bucketOf(hashes[i], buckets));
            final long place = Stripes.place(table.stripesStart, table.stripesMask, cid);
            final long begun = Stripes.word(table.words, place);
            final long page = entries.nearPage(cid);
            words[i] = 0;
            if (Table.isPage(page) && (Memory.RESERVED || StripeWord.readable(begun))) {
                final long word = Memory.getLongThenFence(memory, Table.entryIn(page, cid));
                final boolean isProven = EntryWord.isReadable(word, cid, creator) && EntryWord.isEmbedded(word)
                    && EntryWord.length(word) >= LOOKED_AT_BYTES && Stripes.isProven(table.words, place, begun);
                words[i] = isProven ? word : 0;
            }
        }
        for (int i = 0; i < count; i++) {
            if (words[i] != 0) {
                sum += Memory.getFieldLong(memory, base + EntryWord.address(words[i]), 0);
            }
        }
        for (int i = 0; i < count; i++) {
            if (words[i] != 0) {
                sum += fetchEntry(base + EntryWord.address(words[i]), EntryWord.length(words[i]), hashes[i]);
            }
        }
        fetched = sum;
    }

    /** Reads the lines of the first entry with the tag of a hash. All that it reads may be torn. */
    private long fetchEntry(long at, int chunkBytes, long hash) {
        final long header = Memory.getFieldLong(memory, at, 0);
        final int which = Bucket.first(memory, at, hash);
        final int last = chunkBytes - Long.BYTES;
        final int size = BucketLayout.size(header);
        int from = BucketLayout.uniformAt(header, which);
        int bytes = size;
        if (size == 0) {
            final int end = Math.min(BucketLayout.endAt(header, Math.max(which - 1, 0)), last);
            final int ends = (int) Memory.getFieldLong(memory, at, end);
            final int start = which == 0 ? 0 : ends & BucketLayout.END_MASK;
            from = BucketLayout.entriesAt(header) + start;
            bytes = LINE_BYTES;
        }
        long sum = 0;
        for (int i = 0; i < LINES_MAX && i * LINE_BYTES < bytes; i++) {
            sum += Memory.getFieldLong(memory, at, Math.min(from + i * LINE_BYTES, last));
        }
        return sum + Memory.getFieldLong(memory, at, Math.min(from + bytes - Long.BYTES, last));
    }
}
