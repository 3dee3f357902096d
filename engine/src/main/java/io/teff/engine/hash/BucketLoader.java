package io.teff.engine.hash;

import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.WriterLocks;
import java.util.Arrays;

/**
 * Puts the entries of a {@link LoadPart} into the table, bucket by bucket: composes the bucket with all of its new
 * entries on the heap, and stores the bucket once. For one thread.
 *
 * <p>The entries are ordered by the table's number of buckets at the begin of the part. Under its writer lock a bucket
 * is stable. If it was split or merged since the begin, its entries are put one by one; likewise in the rare buckets
 * with overflow entries, old or new.
 */
final class BucketLoader {
    private static final int LOCK_SHIFT = Integer.numberOfTrailingZeros(WriterLocks.COUNT);

    private final LinearHash table;
    private final CollectionChunks chunks;
    private final BucketBytes before = new BucketBytes();
    private final BucketBytes whole = new BucketBytes();
    private final HashOperation operation = new HashOperation();
    private long[] places = new long[0];
    /** For each record of the bucket whether a later record has the same key, and each old entry whether it goes. */
    private boolean[] isLost = new boolean[0];
    private boolean[] isReplaced = new boolean[0];

    BucketLoader(LinearHash table) {
        this.table = table;
        this.chunks = table.chunks;
    }

    /** Puts all entries of the part with a number, which is the index of their writer lock. */
    void load(LoadPart part, int lockIndex) {
        final long buckets = table.index.count();
        final int[] ends = new int[(int) (buckets >>> LOCK_SHIFT) + 1];
        if (places.length < part.count()) {
            places = new long[part.count()];
        }
        part.order(buckets, places, ends, LOCK_SHIFT);
        int from = 0;
        for (int i = 0; i < ends.length; i++) {
            if (ends[i] > from) {
                load(part, lockIndex, ((long) i << LOCK_SHIFT) + lockIndex, from, ends[i]);
                from = ends[i];
            }
        }
        chunks.changed();
    }

    private void load(LoadPart part, int lockIndex, long bucket, int from, int end) {
        chunks.begin();
        table.writerLocks.lock(lockIndex);
        try {
            if (!isWhole(part, bucket, from, end) || !merge(part, lockIndex, bucket, from, end)) {
                for (int i = from; i < end; i++) {
                    put(part, places[i]);
                }
            }
        } finally {
            table.writerLocks.unlockOnly(lockIndex);
        }
    }

    /** Returns whether all records belong to the bucket now. */
    private boolean isWhole(LoadPart part, long bucket, int from, int end) {
        final long buckets = table.index.count();
        for (int i = from; i < end; i++) {
            if (LinearHash.bucketOf(part.hash(places[i]), buckets) != bucket) {
                return false;
            }
        }
        return true;
    }

    private void put(LoadPart part, long place) {
        final int keyLength = table.keys.end(part.bytes(place), part.from(place)) - part.from(place);
        operation.setEntry(part.hash(place), part.bytes(place), part.from(place), part.size(place), keyLength);
        table.writer().put(operation, table.writer().find(operation));
    }

    /** Stores the bucket with the records; returns false, and does nothing, if the records must be put one by one. */
    private boolean merge(LoadPart part, int lockIndex, long bucket, int from, int end) {
        final long cid = table.index.cidOf(bucket);
        table.copyChunk(cid, before);
        if (!compare(part, from, end)) {
            return false;
        }
        int count = 0;
        int bytes = 0;
        int common = -1;
        long weight = 0;
        for (int i = 0; i < before.count(); i++) {
            final int size = before.bytesOf(i);
            if (isReplaced[i]) {
                weight -= HashGrowth.weight(size);
            } else {
                count++;
                bytes += size;
                common = common < 0 || common == size ? size : 0;
            }
        }
        for (int i = from; i < end; i++) {
            if (!isLost[i - from]) {
                final int size = part.size(places[i]);
                count++;
                bytes += size;
                common = common < 0 || common == size ? size : 0;
                weight += HashGrowth.weight(size);
            }
        }
        if (bytes > BucketLayout.ENTRIES_BYTES_MAX) {
            return false;
        }
        compose(part, from, end, count, Math.max(common, 0), bytes);
        chunks.store(cid, whole.bytes(), 0, whole.length());
        table.counters.count(lockIndex, count - before.count());
        table.counters.weight(lockIndex, weight);
        table.counters.memory(lockIndex, chunks.takenBytes(whole.length()) - chunks.takenBytes(before.length()));
        return true;
    }

    /** Finds the entries that later records replace; returns false if there is an overflow entry. */
    private boolean compare(LoadPart part, int from, int end) {
        final int records = end - from;
        if (isLost.length < records) {
            isLost = new boolean[records * 2];
        }
        if (isReplaced.length < before.count()) {
            isReplaced = new boolean[before.count() * 2];
        }
        Arrays.fill(isLost, 0, records, false);
        Arrays.fill(isReplaced, 0, before.count(), false);
        for (int i = 0; i < before.count(); i++) {
            if (before.isOverflow(i)) {
                return false;
            }
        }
        for (int i = from; i < end; i++) {
            if (part.size(places[i]) > BucketLayout.ENTRY_BYTES_MAX) {
                return false;
            }
            final byte tag = (byte) BucketLayout.tag(part.hash(places[i]));
            for (int k = 0; k < before.count(); k++) {
                if (before.tag(k) == tag && isSameKey(part, places[i], before.bytes(), before.from(k))) {
                    isReplaced[k] = true;
                }
            }
            for (int k = from; k < i; k++) {
                if (part.hash(places[k]) == part.hash(places[i])
                    && isSameKey(part, places[i], part.bytes(places[k]), part.from(places[k]))) {
                    isLost[k - from] = true;
                }
            }
        }
        return true;
    }

    private boolean isSameKey(LoadPart part, long place, byte[] bytes, int from) {
        final byte[] own = part.bytes(place);
        final int ownFrom = part.from(place);
        return Arrays.equals(own, ownFrom, table.keys.end(own, ownFrom), bytes, from, table.keys.end(bytes, from));
    }

    private void compose(LoadPart part, int from, int end, int count, int common, int bytes) {
        whole.begin(before.level(), count, common, bytes);
        for (int i = 0; i < before.count(); i++) {
            if (!isReplaced[i]) {
                whole.add(before, i);
            }
        }
        for (int i = from; i < end; i++) {
            if (!isLost[i - from]) {
                final long place = places[i];
                whole.add(part.bytes(place), part.from(place), part.size(place), BucketLayout.tag(part.hash(place)), 0);
            }
        }
    }
}
