package io.teff.engine.hash;

import io.teff.engine.error.Status;
import io.teff.engine.lock.StripeWord;
import io.teff.engine.lock.Stripes;
import io.teff.engine.map.EntryIndexes;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.Words;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.CollectionState;
import io.teff.engine.storage.WriterLocks;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import java.util.Objects;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A hash table over chunks that maps keys to values, both as bytes: bucket positions, locks and reads.
 * {@link BucketWriter} changes single entries, {@link HashGrowth} splits and merges buckets.
 *
 * <p><b>Linear hashing</b> (Litwin 1980). With 2^L &lt;= N &lt; 2^(L+1) buckets, a hash h lies in bucket h mod 2^(L+1)
 * if that is below N, else in bucket h mod 2^L. So the table grows and shrinks by one bucket at a time.
 *
 * <p><b>Readers</b> write nothing. Readers compute the bucket from N, read the bucket under the stripe's sequence word
 * like any chunk, and check the bucket's level. The level determines the hashes of the bucket. If the reader's hash is
 * no such hash, the bucket was split or merged meanwhile. Then the level determines the bucket to continue with; if the
 * bucket is gone, N has changed and is read again.
 *
 * <p><b>Writers</b> hold one of {@value WriterLocks#COUNT} writer locks, chosen by the lowest bits of the hash. There
 * are never fewer buckets than locks, so a bucket, the second bucket of its split, and the second bucket of its merge
 * have the same lock: while the lock is held, the bucket of a hash is stable, regardless of N. Functions of the
 * application run under the lock while readers proceed. The change of the bucket itself is one operation of the engine:
 * in place if there is room, else into new memory.
 *
 * <p><b>Split</b>: store the new bucket, then the old one, then N. <b>Merge</b>: store the union, then N, then mark the
 * last bucket as gone. Between these steps both copies of an entry are equal, because its writer lock is held, so a
 * reader may use either.
 */
final class LinearHash {
    /** Number of buckets of an empty table. */
    static final int BUCKETS_MIN = WriterLocks.COUNT;
    /** Result of a search: the key is absent. */
    static final int ABSENT = Status.ABSENT;
    /** Result of {@link #get}: the value is longer than the rest of the target. */
    static final int TOO_SMALL = Status.TOO_SMALL;

    private static final int OVERFLOW = Integer.MIN_VALUE;
    private static final int ATTEMPTS = 8;
    private static final int LINE_BYTES = 64;
    /** Splits and merges that may disturb one reader; more of them mean damage. */
    private static final int LOST_MAX = 1_000;

    final CollectionChunks chunks;
    final KeyForm<?> keys;
    /** The buckets by number; its count is N. Changed under the growth's structure lock. */
    final ChunkIndex index;
    final long seed;
    final LoadCounters counters = new LoadCounters();
    final CollectionState state;
    final WriterLocks writerLocks;
    private final Memory memory;
    final Table entries;
    private final long base;
    final long creator;
    final Words words;
    final long stripesStart;
    final long stripesMask;
    private final HashGrowth growth;
    private final BucketWriter writer;
    /** The indexes of the map. Set while all writer locks and the write lock of {@link #bulk} are held. */
    volatile @Nullable EntryIndexes indexes;
    /** Held for reading by changes of many entries, which look only once whether the map has indexes. */
    final ReadWriteLock bulk = new ReentrantReadWriteLock();

    LinearHash(CollectionChunks chunks, KeyForm<?> keys, ChunkIndex index) {
        this.chunks = chunks;
        this.keys = keys;
        this.index = index;
        this.seed = index.seed();
        this.memory = chunks.memory();
        this.entries = chunks.table();
        this.base = memory.placeOfZero();
        this.creator = CidLayout.creator(entries.nid());
        Stripes stripes = chunks.stripes();
        this.state = new CollectionState(stripes);
        this.writerLocks = new WriterLocks(chunks, state);
        this.words = stripes.words();
        this.stripesStart = words.start();
        this.stripesMask = stripes.mask();
        if (index.keyBytes() != keys.fixedBytes()) {
            throw ChunkIndex.damaged(chunks, index.root(), "says keys of " + index.keyBytes() + " bytes, not "
                + keys.fixedBytes());
        }
        writer = new BucketWriter(this);
        growth = new HashGrowth(this);
        growth.open();
    }

    HashGrowth growth() {
        return growth;
    }

    BucketWriter writer() {
        return writer;
    }

    /** Returns the bytes of all chunks and their table entries. */
    long memoryBytes() {
        state.check();
        return counters.memoryBytes() + index.memoryBytes();
    }

    // ---- positions ----

    /** Returns the number of the bucket of a hash in a table of {@code buckets} buckets. */
    static long bucketOf(long hash, long buckets) {
        final long half = Long.highestOneBit(buckets);
        final long bucket = hash & (half << 1) - 1;
        return bucket - (half & ~(bucket - buckets >> Long.SIZE - 1));  // no branch: it would be unpredictable
    }

    /** Returns the chunk of the bucket of a hash. The hash's writer lock is held. */
    long stableCid(long hash) {
        return index.cidOf(bucketOf(hash, index.count()));
    }

    // ---- reading ----

    /**
     * Copies the value of a numeric key. Equivalent to {@link #get(long, long, byte[], int, byte[], int)} with fewer
     * instructions: in a bucket whose entries have one size, no branch depends on the position of the entry, so the
     * cache misses of neighbouring operations overlap ({@code docs/decisions/0007}).
     */
    int get(long number, byte[] target, int offset) {
        final ChunkIndex buckets = index;
        final long hash = Hash.of(seed, number);
        final long cid = buckets.cidOf(bucketOf(hash, buckets.count()));
        final long place = Stripes.place(stripesStart, stripesMask, cid);
        final long begun = Stripes.word(words, place);
        final long page = entries.nearPage(cid);
        if (Table.isPage(page) && (Memory.RESERVED || StripeWord.readable(begun))) {
            final long word = Memory.getLongThenFence(memory, Table.entryIn(page, cid));
            if (EntryWord.isReadable(word, cid, creator) && Stripes.isProven(words, place, begun)) {
                final int length = getUniform(word, hash, number, target, offset);
                if (length >= 0 && Stripes.isStill(words, place, begun)) {
                    return length;
                }
            }
        }
        return get(hash, number, null, Long.BYTES, target, offset);
    }

    /**
     * Returns the length of the value if it is found at once; a negative result is inconclusive. A key that is found
     * needs no check of the bucket's level: while a bucket is split or merged, both copies of an entry are equal.
     */
    int getUniform(long word, long hash, long number, byte[] target, int offset) {
        final int chunkBytes = EntryWord.length(word);
        if (Integer.compareUnsigned(chunkBytes - Bucket.LOOKED_AT_BYTES,
            EntryWord.LENGTH_IN_FRONT - Bucket.LOOKED_AT_BYTES) >= 0) {
            return ABSENT;
        }
        final long at = base + EntryWord.address(word);
        final int which = Bucket.first(memory, at, hash);
        final long header = Memory.getFieldLong(memory, at, 0);
        final int size = BucketLayout.size(header);
        final int from = BucketLayout.uniformAt(header, which);
        if (which >= BucketLayout.count(header) || !Memory.isShort(size - Long.BYTES, target, offset)
            || from + size > chunkBytes || Memory.getFieldLong(memory, at, from) != number) {
            return ABSENT;
        }
        Memory.copyOutShort(memory, at + from + Long.BYTES, target, offset, size - Long.BYTES);
        return size - Long.BYTES;
    }

    /**
     * Copies the value of a key.
     *
     * @param key bytes of the key as they stand in entries, or null if the key is {@code number}
     * @param target array to copy to, or null to test only whether the key is present
     * @return the length of the value, {@link #ABSENT} or {@link #TOO_SMALL}
     */
    int get(long hash, long number, byte @Nullable [] key, int keyLength, byte @Nullable [] target, int offset) {
        if (target != null) {
            Objects.checkIndex(offset, target.length + 1);
        }
        long bucket = bucketOf(hash, index.count());
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            final long cid = index.cidOf(bucket);
            final long place = Stripes.place(stripesStart, stripesMask, cid);
            final long begun = Stripes.word(words, place);
            final long page = entries.nearPage(cid);
            if (!Table.isPage(page) || !Memory.RESERVED && !StripeWord.readable(begun)) {
                break;
            }
            final long word = Memory.getLongThenFence(memory, Table.entryIn(page, cid));
            if (!EntryWord.isReadable(word, cid, creator) || !Stripes.isProven(words, place, begun)) {
                bucket = bucketOf(hash, index.count());
                continue;
            }
            final long address = EntryWord.address(word);
            final long length = chunks.length(word);
            if (!EntryWord.isEmbedded(word) && !Stripes.isStill(words, place, begun)) {
                continue;                       // unproven length: perhaps of another chunk
            }
            if (length < BucketLayout.HEADER_BYTES) {
                break;
            }
            final long header = memory.getFieldLong(address);
            final int level = BucketLayout.level(header);
            if (BucketLayout.holds(level, bucket, hash)) {
                final int result = read(address, length, header, hash, number, key, keyLength, target, offset);
                if (Stripes.isStill(words, place, begun)) {
                    return result == OVERFLOW ? getOverflow(hash, number, key, keyLength, target, offset) : result;
                }
            } else if (Stripes.isStill(words, place, begun)) {
                bucket = next(level, hash);
            }
        }
        return getSlow(hash, number, key, keyLength, target, offset);
    }

    /** Returns the bucket to continue with if a bucket of this level does not hold the hash. */
    private long next(int level, long hash) {
        return level < Long.SIZE ? hash & (1L << level) - 1 : bucketOf(hash, index.count());
    }

    /** Searches a bucket and copies the value. Unless the stripe is held, all reads may be torn. */
    private int read(long address, long length, long header, long hash, long number, byte @Nullable [] key,
                     int keyLength, byte @Nullable [] target, int offset) {
        final int index = Bucket.find(memory, address, length, header, hash, number, key, keyLength, 0);
        if (index < 0) {
            return ABSENT;
        }
        final int start = Bucket.start(memory, address, header, index) + keyLength;
        final int end = Bucket.end(memory, address, header, index);
        final int bytes = end - start;
        if ((end & BucketLayout.OVERFLOW) != 0) {
            return OVERFLOW;
        }
        if (target == null) {
            return 0;
        }
        final int at = BucketLayout.entriesAt(header) + start;
        if (bytes < 0 || at + bytes > length) {
            return ABSENT;                                      // torn
        }
        if (bytes > target.length - offset) {
            return TOO_SMALL;
        }
        if (bytes > 0) {
            memory.copyOut(address + at, target, offset, bytes);
        }
        return bytes;
    }

    private int getSlow(long hash, long number, byte @Nullable [] key, int keyLength, byte @Nullable [] target,
                        int offset) {
        long bucket = bucketOf(hash, index.count());
        for (int lost = 0; ; lost++) {
            final long cid = index.cidOf(bucket);
            checkLost(lost, cid);
            final long word = chunks.enterToRead(cid);
            if (word == Status.ABSENT) {
                bucket = bucketOf(hash, index.count());
                continue;
            }
            int result;
            try {
                final long address = EntryWord.address(word);
                final long header = header(cid, address, chunks.length(word));
                final int level = BucketLayout.level(header);
                if (!BucketLayout.holds(level, bucket, hash)) {
                    bucket = next(level, hash);
                    continue;
                }
                result = read(address, chunks.length(word), header, hash, number, key, keyLength, target, offset);
            } finally {
                chunks.leave(cid);
            }
            return result == OVERFLOW ? getOverflow(hash, number, key, keyLength, target, offset) : result;
        }
    }

    /**
     * Bounds the retries after a lost bucket: a bucket that was split, merged or dropped is found again soon, else the
     * table is damaged.
     */
    void checkLost(int lost, long cid) {
        if (lost > 0) {
            state.checkNotDropped();
            if (lost > LOST_MAX) {
                throw ChunkIndex.damaged(chunks, cid, "is gone, or not the bucket that it was");
            }
            Thread.yield();
        }
    }

    /**
     * Returns the header of a bucket, inside its stripe, and checks it: an application may have overwritten the chunk
     * by CID.
     */
    long header(long cid, long address, long length) {
        final long header = length < BucketLayout.HEADER_BYTES ? -1 : memory.getFieldLong(address);
        if (BucketLayout.count(header) > BucketLayout.slots(header) || BucketLayout.entriesAt(header)
            + (long) BucketLayout.count(header) * BucketLayout.size(header) > length
            || BucketLayout.entriesAt(header) + Bucket.entriesBytes(memory, address, header) > length) {
            throw ChunkIndex.damaged(chunks, cid, "is not a bucket");
        }
        return header;
    }

    /** Like {@link #get}, if an overflow entry has the hash: compares the key in the entry's chunk. */
    private int getOverflow(long hash, long number, byte @Nullable [] key, int keyLength, byte @Nullable [] target,
                           int offset) {
        BucketBytes copy = new BucketBytes();
        HashOperation operation = new HashOperation();
        operation.number = number;
        operation.key = key;
        operation.keyLength = keyLength;
        operation.hash = hash;
        for (;;) {
            copy(hash, copy);
            int result = ABSENT;
            for (int i = 0; i < copy.count() && result == ABSENT; i++) {
                result = readCopied(copy, i, operation, target, offset);
            }
            if (result != OVERFLOW) {
                return result;
            }
        }
    }

    /**
     * Copies the value of one entry of a copied bucket if the key matches; OVERFLOW if the entry's chunk was removed.
     */
    private int readCopied(BucketBytes copy, int index, HashOperation operation, byte @Nullable [] target, int offset) {
        byte[] bytes = copy.bytes();
        int from = copy.from(index);
        int length = copy.bytesOf(index);
        if (copy.isOverflow(index)) {
            if (copy.overflowHash(index) != operation.hash) {
                return ABSENT;
            }
            length = readOverflow(copy.overflowCid(index), operation);
            if (length < 0) {
                return OVERFLOW;
            }
            bytes = operation.bytes();
            from = 0;
        }
        if (!operation.isKeyOf(bytes, from, length)) {
            return ABSENT;
        }
        int valueLength = length - operation.keyLength;
        if (target == null) {
            return 0;
        }
        if (valueLength > target.length - offset) {
            return TOO_SMALL;
        }
        System.arraycopy(bytes, from + operation.keyLength, target, offset, valueLength);
        return valueLength;
    }

    /** Copies the chunk of an overflow entry to the operation's buffer; returns its length or ABSENT. */
    int readOverflow(long cid, HashOperation operation) {
        for (;;) {
            int length = chunks.get(cid, operation.bytes());
            if (length != TOO_SMALL) {
                if (length != ABSENT && !keys.fits(operation.bytes(), 0, length)) {
                    throw ChunkIndex.damaged(chunks, cid, "is not an entry");
                }
                return length;
            }
            operation.grow();
        }
    }

    /** Copies the value of the operation's key to the operation's buffer; returns its length or ABSENT. */
    int get(HashOperation operation) {
        for (;;) {
            int length = get(operation.hash, operation.number, operation.key, operation.keyLength,
                operation.bytes(), 0);
            if (length != TOO_SMALL) {
                return length;
            }
            operation.grow();
        }
    }

    /** Copies the bucket of a hash. */
    void copy(long hash, BucketBytes target) {
        long bucket = bucketOf(hash, index.count());
        for (int lost = 0; ; lost++) {
            final long cid = index.cidOf(bucket);
            checkLost(lost, cid);
            final int length = copyChunk(cid, target);
            if (length == ABSENT) {
                bucket = bucketOf(hash, index.count());
            } else if (BucketLayout.holds(target.level(), bucket, hash)) {
                return;
            } else {
                bucket = next(target.level(), hash);
            }
        }
    }

    /**
     * Prefetches the bucket of a hash: loads one word of each cache line before the bucket is copied or changed. These
     * cache misses overlap, while cache misses of a copy or between atomic steps occur in sequence. The result is a
     * checksum without meaning; storing it keeps the compiler from removing the loads.
     */
    long fetch(long hash) {
        final long cid = index.cidOf(bucketOf(hash, index.count()));
        final long place = Stripes.place(stripesStart, stripesMask, cid);
        final long begun = Stripes.word(words, place);
        final long page = entries.nearPage(cid);
        long sum = 0;
        if (Memory.RESERVED && Table.isPage(page)) {
            final long word = Memory.getLongThenFence(memory, Table.entryIn(page, cid));
            if (EntryWord.isReadable(word, cid, creator) && Stripes.isProven(words, place, begun)) {
                final long at = base + EntryWord.address(word);
                final int last = EntryWord.length(word) - Long.BYTES;
                for (int i = 0; i <= last; i += LINE_BYTES) {
                    sum += Memory.getFieldLong(memory, at, i);
                }
            }
        }
        return sum;
    }

    /** Copies a bucket; returns its length or ABSENT. */
    int copyChunk(long cid, BucketBytes target) {
        for (;;) {
            final int length = chunks.get(cid, target.bytes());
            if (length == TOO_SMALL) {
                target.grow(chunks.size(cid));
                continue;
            }
            if (length != ABSENT && !(target.copied(length) && target.hasKeys(keys))) {
                throw ChunkIndex.damaged(chunks, cid, "is not a bucket");
            }
            return length;
        }
    }

    // ---- writer locks ----

    /** Takes the writer lock of a hash. */
    void lock(long hash) {
        writerLocks.lock(WriterLocks.of(hash));
    }

    /** Takes the writer lock of an operation's hash, and prefetches its bucket. */
    void lock(HashOperation operation) {
        operation.fetched = fetch(operation.hash);
        lock(operation.hash);
    }

    /** Releases the writer lock of a hash, and lets the table grow or shrink if the load requires it. */
    void unlock(long hash) {
        final boolean isIndexed = indexes != null;
        writerLocks.unlock(WriterLocks.of(hash));
        if (isIndexed) {
            chunks.done();                      // the group of the entry and of its indexes was ended before
        }
        growth.adjust();
    }
}
