package io.teff.engine.hash;

import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.lock.StripeWord;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.WriterLocks;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;

/**
 * Changes one bucket of a {@link LinearHash} while the caller holds the writer lock of the operation's hash: finds,
 * puts and removes the entry. A change of a bucket is one operation of the engine: in place if there is room, else
 * into new memory.
 */
final class BucketWriter {
    private static final int ABSENT = LinearHash.ABSENT;
    private static final int ATTEMPTS = 8;
    /** CID of no chunk. */
    private static final long NONE = 0;

    private final LinearHash table;
    private final CollectionChunks chunks;
    private final Memory memory;

    BucketWriter(LinearHash table) {
        this.table = table;
        this.chunks = table.chunks;
        this.memory = chunks.memory();
    }

    /**
     * Searches for the operation's key; sets the operation's bucket and overflow chunk.
     *
     * @return index of the entry, or ABSENT
     */
    int find(HashOperation operation) {
        final long cid = table.stableCid(operation.hash);
        operation.bucket = cid;
        for (int after = 0; ; ) {
            final int index = findOnce(cid, operation, after);
            if (index < 0 || operation.overflow == NONE || isOverflowKey(operation)) {
                return index;
            }
            after = index + 1;
        }
    }

    private boolean isOverflowKey(HashOperation operation) {
        int length = table.readOverflow(operation.overflow, operation);
        if (length == ABSENT) {
            throw ChunkIndex.damaged(chunks, operation.overflow, "is gone");
        }
        return operation.isKeyOf(operation.bytes(), 0, length);
    }

    private int findOnce(long cid, HashOperation operation, int after) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            final long place = Stripes.place(table.stripesStart, table.stripesMask, cid);
            final long begun = Stripes.word(table.words, place);
            final long page = table.entries.nearPage(cid);
            if (!Table.isPage(page) || !Memory.RESERVED && !StripeWord.readable(begun)) {
                break;
            }
            final long word = Memory.getLongThenFence(memory, Table.entryIn(page, cid));
            if (EntryWord.isReadable(word, cid, table.creator) && Stripes.isProven(table.words, place, begun)) {
                final long length = chunks.length(word);
                if (!Stripes.isStill(table.words, place, begun)) {
                    continue;                       // unproven length: perhaps of another chunk
                }
                final int index = findIn(word, length, operation, after);
                if (Stripes.isStill(table.words, place, begun)) {
                    return index;
                }
            }
        }
        final long word = chunks.enterToRead(cid);
        if (word == Status.ABSENT) {
            throw ChunkIndex.damaged(chunks, cid, "is gone");
        }
        try {
            return findIn(word, chunks.length(word), operation, after);
        } finally {
            chunks.leave(cid);
        }
    }

    private int findIn(long word, long length, HashOperation operation, int after) {
        if (length < BucketLayout.HEADER_BYTES) {
            throw ChunkIndex.damaged(chunks, operation.bucket, "is not a bucket");
        }
        final long address = EntryWord.address(word);
        final long header = memory.getFieldLong(address);
        final int index = Bucket.find(memory, address, length, header, operation.hash, operation.number, operation.key,
            operation.keyLength, after);
        operation.overflow = NONE;
        if (index >= 0) {
            if ((Bucket.end(memory, address, header, index) & BucketLayout.OVERFLOW) != 0) {
                final int link = BucketLayout.entriesAt(header) + Bucket.start(memory, address, header, index);
                operation.overflow = link + BucketLayout.LINK_BYTES > length ? NONE
                    : memory.getFieldLong(address + link + Long.BYTES);
            }
        }
        return index;
    }

    /**
     * Sets the position of the operation's value in its chunk.
     *
     * @param index result of {@link #find}
     */
    void locate(HashOperation operation, int index) {
        if (operation.overflow != NONE) {
            operation.valueFrom = operation.keyLength;
            operation.valueLength = chunks.size(operation.overflow) - operation.keyLength;
            return;
        }
        final long word = chunks.enter(operation.bucket);
        try {
            final long address = EntryWord.address(word);
            final long header = table.header(operation.bucket, address, chunks.length(word));
            final int start = Bucket.start(memory, address, header, index) + operation.keyLength;
            operation.valueFrom = (long) BucketLayout.entriesAt(header) + start;
            operation.valueLength = (long) Bucket.end(memory, address, header, index) - start;
        } finally {
            chunks.leave(operation.bucket);
        }
    }

    /**
     * Puts the operation's entry.
     *
     * @param index result of {@link #find}
     */
    void put(HashOperation operation, int index) {
        final int size = operation.out().size();
        final boolean inside = size <= BucketLayout.ENTRY_BYTES_MAX
            && splice(operation, index, operation.out().array(), size, 0);
        if (inside) {
            if (index >= 0 && operation.overflow != NONE) {
                removeOverflow(operation);
            }
        } else {
            putOverflow(operation, index, size);
        }
        if (index < 0) {
            table.counters.count(WriterLocks.of(operation.hash), 1);
        }
    }

    private void putOverflow(HashOperation operation, int index, int size) {
        final int lockIndex = WriterLocks.of(operation.hash);
        if (index >= 0 && operation.overflow != NONE) {
            final long before = chunks.takenBytes(chunks.size(operation.overflow));
            chunks.store(operation.overflow, operation.out().array(), 0, size);
            table.counters.memory(lockIndex, chunks.takenBytes(size) - before);
            return;
        }
        final long cid = chunks.create(operation.out().array(), 0, size);
        boolean linked = false;
        try {
            linked = splice(operation, index, operation.link(cid), BucketLayout.LINK_BYTES, BucketLayout.OVERFLOW);
        } finally {
            if (!linked) {
                chunks.remove(cid);
            }
        }
        if (!linked) {
            throw new StoreException(Category.DEGRADED, "too many keys fall into one bucket");
        }
        table.counters.memory(lockIndex, chunks.takenBytes(size));
    }

    private void removeOverflow(HashOperation operation) {
        final long length = chunks.size(operation.overflow);
        chunks.remove(operation.overflow);
        table.counters.memory(WriterLocks.of(operation.hash), -chunks.takenBytes(length));
    }

    /** Removes the operation's entry. */
    void remove(HashOperation operation, int index) {
        final long cid = operation.bucket;
        final int lockIndex = WriterLocks.of(operation.hash);
        final long word = chunks.enter(cid);
        try {
            final long address = EntryWord.address(word);
            final long length = chunks.length(word);
            long header = table.header(cid, address, length);
            final int before = Bucket.entriesBytes(memory, address, header);
            chunks.touch(cid);
            Bucket.remove(memory, address, header, index);
            header = memory.getFieldLong(address);
            final int left = Bucket.entriesBytes(memory, address, header);
            table.counters.weight(lockIndex, -HashGrowth.weight(before - left));
            final int slots = BucketLayout.slotsFor(BucketLayout.count(header));
            final int size = BucketLayout.size(header);
            final int wanted = BucketLayout.lengthFor(slots, size, left);
            final long target = BucketLayout.isSparse(length, wanted) ? chunks.allocate(wanted) : CollectionChunks.FULL;
            if (target != CollectionChunks.FULL) {
                move(operation, word, address, header, length, target, slots, size, wanted);
            }
        } finally {
            chunks.leave(cid);
        }
        table.counters.count(lockIndex, -1);
        if (operation.overflow != NONE) {
            removeOverflow(operation);
        }
    }

    /** Copies a bucket to other memory. The caller is inside the bucket's stripe. */
    private void move(HashOperation operation, long word, long address, long header, long length, long target,
                      int slots, int size, int wanted) {
        Bucket.copy(memory, address, header, target, slots, size);
        chunks.switchTo(operation.bucket, word, target, wanted);
        table.counters.memory(WriterLocks.of(operation.hash), chunks.takenBytes(wanted) - chunks.takenBytes(length));
    }

    /**
     * Adds or replaces an entry as one operation of the engine; returns false if the bucket's entries would be too
     * long.
     */
    private boolean splice(HashOperation operation, int index, byte[] entry, int size, int overflow) {
        final long cid = operation.bucket;
        final long word = chunks.enter(cid);
        try {
            long address = EntryWord.address(word);
            final long length = chunks.length(word);
            long header = table.header(cid, address, length);
            final int count = BucketLayout.count(header);
            final int oldSize = index < 0 ? 0 : (Bucket.end(memory, address, header, index) & BucketLayout.END_MASK)
                - Bucket.start(memory, address, header, index);
            final int newCount = index < 0 ? count + 1 : count;
            final int bytes = Bucket.entriesBytes(memory, address, header) + size - oldSize;
            if (bytes > BucketLayout.ENTRIES_BYTES_MAX) {
                return false;
            }
            final int common = overflow != 0 || count > 0 && BucketLayout.size(header) != size ? 0 : size;
            int replaced = index;
            chunks.touch(cid);
            if (common != BucketLayout.size(header) || newCount > BucketLayout.slots(header)
                || BucketLayout.entriesAt(header) + bytes > length) {
                final int slots = BucketLayout.slotsFor(BucketLayout.withRoom(newCount));
                final int wanted = BucketLayout.lengthFor(slots, common, BucketLayout.withRoom(bytes));
                final long target = chunks.allocate(wanted);
                if (target == CollectionChunks.FULL) {
                    throw new StoreException(Category.DEGRADED, "the memory limit is reached");
                }
                if (index >= 0) {                               // without the old entry, the rest fits
                    Bucket.remove(memory, address, header, index);
                    header = memory.getFieldLong(address);
                    replaced = -1;
                }
                move(operation, word, address, header, length, target, slots, common, wanted);
                address = target;
                header = memory.getFieldLong(address);
            }
            if (replaced < 0) {
                Bucket.append(memory, address, header, BucketLayout.tag(operation.hash), entry, size, overflow);
            } else {
                Bucket.replace(memory, address, header, replaced, entry, size, overflow);
            }
            table.counters.weight(WriterLocks.of(operation.hash),
                HashGrowth.weight(size) - (index < 0 ? 0 : HashGrowth.weight(oldSize)));
            return true;
        } finally {
            chunks.leave(cid);
        }
    }
}
