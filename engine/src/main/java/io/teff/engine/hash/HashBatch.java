package io.teff.engine.hash;

import io.teff.engine.lock.StripeWord;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.storage.ObjectPool;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;

/**
 * Brings the buckets and entries of several hashes into the cache, in passes that are as short as possible, so that as
 * many cache misses as possible overlap: first all entry words, then the first line of each bucket, then the entry to
 * which the bucket's tags point. A get of each key follows: from what was read, if the bucket's stripe has not changed
 * since, else like any other get. For one thread.
 */
final class HashBatch {
    /** Largest number of hashes. */
    static final int GROUP = 32;

    static final ObjectPool<HashBatch> POOL = new ObjectPool<>(HashBatch::new, _ -> true);

    private final long[] hashes = new long[GROUP];
    /** Entry word, place of the stripe's word, and that word, of each hash; an entry that is not proven is 0. */
    private final long[] words = new long[GROUP];
    private final long[] places = new long[GROUP];
    private final long[] begun = new long[GROUP];
    private final HashOperation[] operations = new HashOperation[GROUP];
    /** Sum of what was read, stored so that the loads are not removed. */
    long fetched;

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

    /** Reads what gets of the first {@code count} hashes in a table will read. */
    void fetch(LinearHash table, int count) {
        final Table entries = table.entries;
        final Memory memory = table.chunks.memory();
        final long base = memory.placeOfZero();
        final long creator = CidLayout.creator(entries.nid());
        final long buckets = table.index.count();
        long sum = 0;
        for (int i = 0; i < count; i++) {
            final long cid = table.index.cidOf(LinearHash.bucketOf(hashes[i], buckets));
            final long place = Stripes.place(table.stripesStart, table.stripesMask, cid);
            final long before = Stripes.word(table.words, place);
            final long page = entries.nearPage(cid);
            places[i] = place;
            begun[i] = before;
            words[i] = 0;
            if (Table.isPage(page) && (Memory.RESERVED || StripeWord.readable(before))) {
                final long word = Memory.getLongThenFence(memory, Table.entryIn(page, cid));
                final boolean isProven = EntryWord.isReadable(word, cid, creator) && EntryWord.isEmbedded(word)
                    && EntryWord.length(word) >= Bucket.LOOKED_AT_BYTES && Stripes.isProven(table.words, place, before);
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
                sum += Bucket.fetch(memory, base + EntryWord.address(words[i]), EntryWord.length(words[i]), hashes[i]);
            }
        }
        fetched = sum;
    }

    /**
     * Copies the value of a numeric key whose hash was fetched, if it is found at once.
     *
     * @param table the table of {@link #fetch}
     * @param index index of the hash
     * @return length of the value; a negative result is inconclusive
     */
    int get(LinearHash table, int index, long number, byte[] target, int offset) {
        final long word = words[index];
        final int length = word == 0 ? LinearHash.ABSENT
            : table.getUniform(word, hashes[index], number, target, offset);
        return length >= 0 && Stripes.isStill(table.words, places[index], begun[index]) ? length : LinearHash.ABSENT;
    }
}
