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
 * What writers do to one bucket of a {@link LinearHash} while they hold the lane of the work's hash: find the entry,
 * put it, take it out. A change of a bucket is one operation of the engine: in place if there is room, else into new
 * memory.
 */
final class BucketWriter {
    private static final int ABSENT = LinearHash.ABSENT;
    private static final int ATTEMPTS = 8;
    /** CID of nothing. */
    private static final long NONE = 0;

    private final LinearHash table;
    private final CollectionChunks nodes;
    private final Memory memory;

    BucketWriter(LinearHash table) {
        this.table = table;
        this.nodes = table.nodes;
        this.memory = nodes.memory();
    }

    /**
     * Searches the work's key; sets the work's bucket and outside.
     *
     * @return index of its entry, or ABSENT
     */
    int find(HashOperation work) {
        final long cid = table.stableCid(work.hash);
        work.bucket = cid;
        for (int after = 0; ; ) {
            final int index = findOnce(cid, work, after);
            if (index < 0 || work.outside == NONE || isOutsideKey(work)) {
                return index;
            }
            after = index + 1;
        }
    }

    private boolean isOutsideKey(HashOperation work) {
        int length = table.readOutside(work.outside, work);
        if (length == ABSENT) {
            throw ChunkIndex.damaged(nodes, work.outside, "is gone");
        }
        return work.isKeyOf(work.bytes(), 0, length);
    }

    private int findOnce(long cid, HashOperation work, int after) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            final long place = Stripes.place(table.stripesStart, table.stripesMask, cid);
            final long begun = Stripes.word(table.words, place);
            final long page = table.entries.nearPage(cid);
            if (!Table.isPage(page) || !Memory.RESERVED && !StripeWord.readable(begun)) {
                break;
            }
            final long word = Memory.getLongThenFence(memory, Table.entryIn(page, cid));
            if (EntryWord.isReadable(word, cid, table.creator) && Stripes.isProven(table.words, place, begun)) {
                final long length = nodes.length(word);
                if (!Stripes.isStill(table.words, place, begun)) {
                    continue;                                   // a length in front of the chunk may be another's
                }
                final int index = findIn(word, length, work, after);
                if (Stripes.isStill(table.words, place, begun)) {
                    return index;
                }
            }
        }
        final long word = nodes.enterToRead(cid);
        if (word == Status.ABSENT) {
            throw ChunkIndex.damaged(nodes, cid, "is gone");
        }
        try {
            return findIn(word, nodes.length(word), work, after);
        } finally {
            nodes.leave(cid);
        }
    }

    private int findIn(long word, long length, HashOperation work, int after) {
        if (length < BucketLayout.HEADER_BYTES) {
            throw ChunkIndex.damaged(nodes, work.bucket, "is no bucket");
        }
        final long address = EntryWord.address(word);
        final long header = memory.getFieldLong(address);
        final int index = Bucket.find(memory, address, length, header, work.hash, work.number, work.key, work.keyLength,
            after);
        work.outside = NONE;
        if (index >= 0) {
            if ((Bucket.end(memory, address, header, index) & BucketLayout.OUTSIDE) != 0) {
                final int link = BucketLayout.entriesAt(header) + Bucket.start(memory, address, header, index);
                work.outside = link + BucketLayout.LINK_BYTES > length ? NONE
                    : memory.getFieldLong(address + link + Long.BYTES);
            }
        }
        return index;
    }

    /**
     * Sets where the work's value is in its chunk.
     *
     * @param index what {@link #find} returned
     */
    void locate(HashOperation work, int index) {
        if (work.outside != NONE) {
            work.valueFrom = work.keyLength;
            work.valueLength = nodes.size(work.outside) - work.keyLength;
            return;
        }
        final long word = nodes.enter(work.bucket);
        try {
            final long address = EntryWord.address(word);
            final long header = table.header(work.bucket, address, nodes.length(word));
            final int start = Bucket.start(memory, address, header, index) + work.keyLength;
            work.valueFrom = (long) BucketLayout.entriesAt(header) + start;
            work.valueLength = (long) Bucket.end(memory, address, header, index) - start;
        } finally {
            nodes.leave(work.bucket);
        }
    }

    /**
     * Puts the work's entry.
     *
     * @param index what {@link #find} returned
     */
    void put(HashOperation work, int index) {
        final int size = work.out().size();
        final boolean inside = size <= BucketLayout.ENTRY_BYTES_MAX
            && splice(work, index, work.out().array(), size, 0);
        if (inside) {
            if (index >= 0 && work.outside != NONE) {
                removeOutside(work);
            }
        } else {
            putOutside(work, index, size);
        }
        if (index < 0) {
            table.tallies.count(WriterLocks.of(work.hash), 1);
        }
    }

    private void putOutside(HashOperation work, int index, int size) {
        final int lane = WriterLocks.of(work.hash);
        if (index >= 0 && work.outside != NONE) {
            final long before = nodes.takenBytes(nodes.size(work.outside));
            nodes.store(work.outside, work.out().array(), 0, size);
            table.tallies.memory(lane, nodes.takenBytes(size) - before);
            return;
        }
        final long cid = nodes.create(work.out().array(), 0, size);
        boolean linked = false;
        try {
            linked = splice(work, index, work.link(cid), BucketLayout.LINK_BYTES, BucketLayout.OUTSIDE);
        } finally {
            if (!linked) {
                nodes.remove(cid);
            }
        }
        if (!linked) {
            throw new StoreException(Category.DEGRADED, "too many keys fall into one bucket");
        }
        table.tallies.memory(lane, nodes.takenBytes(size));
    }

    private void removeOutside(HashOperation work) {
        final long length = nodes.size(work.outside);
        nodes.remove(work.outside);
        table.tallies.memory(WriterLocks.of(work.hash), -nodes.takenBytes(length));
    }

    /** Takes the work's entry out. */
    void remove(HashOperation work, int index) {
        final long cid = work.bucket;
        final int lane = WriterLocks.of(work.hash);
        final long word = nodes.enter(cid);
        try {
            final long address = EntryWord.address(word);
            final long length = nodes.length(word);
            long header = table.header(cid, address, length);
            final int before = Bucket.entriesBytes(memory, address, header);
            nodes.touch(cid);
            Bucket.remove(memory, address, header, index);
            header = memory.getFieldLong(address);
            final int left = Bucket.entriesBytes(memory, address, header);
            table.tallies.weight(lane, -HashGrowth.weight(before - left));
            final int slots = BucketLayout.slotsFor(BucketLayout.count(header));
            final int size = BucketLayout.size(header);
            final int wanted = BucketLayout.lengthFor(slots, size, left);
            final long target = wanted <= length - (length >> 2) ? nodes.allocate(wanted) : CollectionChunks.FULL;
            if (target != CollectionChunks.FULL) {
                move(work, word, address, header, length, target, slots, size, wanted);
            }
        } finally {
            nodes.leave(cid);
        }
        table.tallies.count(lane, -1);
        if (work.outside != NONE) {
            removeOutside(work);
        }
    }

    /** Copies a bucket to other memory, inside of its stripe. */
    private void move(HashOperation work, long word, long address, long header, long length, long target, int slots, int size,
                      int wanted) {
        Bucket.copy(memory, address, header, target, slots, size);
        nodes.switchTo(work.bucket, word, target, wanted);
        table.tallies.memory(WriterLocks.of(work.hash), nodes.takenBytes(wanted) - nodes.takenBytes(length));
    }

    /** Adds or replaces an entry as one operation of the engine; false if there would be too many in the bucket. */
    private boolean splice(HashOperation work, int index, byte[] entry, int size, int outside) {
        final long cid = work.bucket;
        final long word = nodes.enter(cid);
        try {
            long address = EntryWord.address(word);
            final long length = nodes.length(word);
            long header = table.header(cid, address, length);
            final int count = BucketLayout.count(header);
            final int oldSize = index < 0 ? 0 : (Bucket.end(memory, address, header, index) & BucketLayout.END_MASK)
                - Bucket.start(memory, address, header, index);
            final int newCount = index < 0 ? count + 1 : count;
            final int bytes = Bucket.entriesBytes(memory, address, header) + size - oldSize;
            if (bytes > BucketLayout.ENTRIES_BYTES_MAX) {
                return false;
            }
            final int common = outside != 0 || count > 0 && BucketLayout.size(header) != size ? 0 : size;
            int replaced = index;
            nodes.touch(cid);
            if (common != BucketLayout.size(header) || newCount > BucketLayout.slots(header)
                || BucketLayout.entriesAt(header) + bytes > length) {
                final int slots = BucketLayout.slotsFor(newCount);
                final int wanted = BucketLayout.lengthFor(slots, common, bytes);
                final long target = nodes.allocate(wanted);
                if (target == CollectionChunks.FULL) {
                    throw new StoreException(Category.DEGRADED, "the memory limit is reached");
                }
                if (index >= 0) {                               // what is moved must fit: without the entry, it does
                    Bucket.remove(memory, address, header, index);
                    header = memory.getFieldLong(address);
                    replaced = -1;
                }
                move(work, word, address, header, length, target, slots, common, wanted);
                address = target;
                header = memory.getFieldLong(address);
            }
            if (replaced < 0) {
                Bucket.append(memory, address, header, BucketLayout.tag(work.hash), entry, size, outside);
            } else {
                Bucket.replace(memory, address, header, replaced, entry, size, outside);
            }
            table.tallies.weight(WriterLocks.of(work.hash), HashGrowth.weight(size) - (index < 0 ? 0 : HashGrowth.weight(oldSize)));
            return true;
        } finally {
            nodes.leave(cid);
        }
    }
}
