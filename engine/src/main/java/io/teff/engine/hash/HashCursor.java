package io.teff.engine.hash;

import io.teff.engine.map.LongCursor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.function.LongConsumer;

/**
 * A walk over the entries of a hash table, bucket by bucket, which splits and merges do not disturb.
 *
 * <p>The walk visits hashes in the order of their reversed bits. In this order a bucket of level l and number b covers
 * one interval of 2^(64 - l) hashes, which begins at rev(b). A split cuts the interval in two, a merge joins two
 * intervals. So the position of the walk is a number: all entries before this number were shown, no entry behind. A
 * bucket is copied as a whole, so its entries are shown as of a single moment. Not thread-safe.
 */
final class HashCursor implements LongCursor {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** Number of buckets that are prefetched together. */
    private static final int AHEAD = 6;

    private final LinearHash table;
    private final BucketBytes bucket = new BucketBytes();
    private final HashOperation operation = new HashOperation();
    /** Position and end of the walk; 0 as the end means behind all hashes. */
    private long place;
    private final long end;
    private boolean more = true;
    /** Number of prefetched buckets that are still to be visited; the first bucket shows how large buckets are. */
    private int near = 1;
    /** Sum of prefetched words, stored so that the loads are not removed, see {@link LinearHash#fetch}. */
    long fetched;
    /** Entries of the bucket before this position were shown already. */
    private long shownFrom;
    private boolean partly;
    private int index = -1;
    /** The current entry. */
    private byte[] bytes = bucket.bytes();
    private int from;
    private int length;

    HashCursor(LinearHash table, long start, long end) {
        this.table = table;
        this.place = start;
        this.end = end;
    }

    /** Moves to the next entry; returns false at the end. */
    @Override
    public boolean next() {
        for (;;) {
            if (++index < bucket.count()) {
                if ((!partly || isInside(hash(index))) && load(index)) {
                    return true;
                }
            } else if (!more) {
                index = bucket.count();
                return false;
            } else {
                nextBucket();
            }
        }
    }

    /**
     * Shows the remaining keys, which are numbers, of the current entry's bucket, if the whole bucket is to be shown.
     */
    void forEachNumberBehind(LongConsumer action) {
        final int size = bucket.size();
        if (size > 0 && !partly) {
            final byte[] copy = bucket.bytes();
            int at = bucket.from(index) + size;
            while (++index < bucket.count()) {
                action.accept((long) LONG.get(copy, at));
                at += size;
            }
        }
    }

    private void nextBucket() {
        final long hash = Long.reverse(place);
        if (--near < 0) {
            fetch();
        }
        table.copy(hash, bucket);
        final int level = bucket.level();
        final long first = Long.reverse(hash & (1L << level) - 1);
        final long behind = first + (1L << Long.SIZE - level);
        shownFrom = place;
        final boolean last = behind == 0 || end != 0 && Long.compareUnsigned(behind, end) >= 0;
        partly = first != place || last && behind != end;
        more = !last;
        place = behind;
        index = -1;
    }

    /** Prefetches the next buckets. Their positions are estimated from the size of the last bucket. */
    private void fetch() {
        final long step = 1L << Long.SIZE - bucket.level();
        near = AHEAD;
        for (int i = 0; i < AHEAD; i++) {
            fetched += table.fetch(Long.reverse(place + i * step));
        }
    }

    private boolean isInside(long hash) {
        final long position = Long.reverse(hash);
        return Long.compareUnsigned(position, shownFrom) >= 0 && (end == 0 || Long.compareUnsigned(position, end) < 0);
    }

    private long hash(int at) {
        return bucket.isOverflow(at) ? bucket.overflowHash(at)
            : table.keys.hash(bucket.bytes(), bucket.from(at), table.seed);
    }

    /** Makes an entry of the bucket the current one; returns false if the entry was removed. */
    private boolean load(int at) {
        if (!bucket.isOverflow(at)) {
            bytes = bucket.bytes();
            from = bucket.from(at);
            length = bucket.bytesOf(at);
            return true;
        }
        return loadOverflow(bucket.overflowHash(at), bucket.overflowCid(at));
    }

    /**
     * Loads an overflow entry. If its chunk was removed because the value was replaced, the entry is searched again by
     * hash.
     */
    private boolean loadOverflow(long hash, long cid) {
        int size = table.readOverflow(cid, operation);
        BucketBytes again = new BucketBytes();
        for (int lost = 0; size < 0; lost++) {
            table.checkLost(lost, cid);
            table.copy(hash, again);
            int found = find(again, hash);
            if (found < 0) {
                return false;
            }
            if (!again.isOverflow(found)) {
                bytes = again.bytes();
                from = again.from(found);
                length = again.bytesOf(found);
                return true;
            }
            size = table.readOverflow(again.overflowCid(found), operation);
        }
        bytes = operation.bytes();
        from = 0;
        length = size;
        return true;
    }

    private int find(BucketBytes copy, long hash) {
        for (int i = 0; i < copy.count(); i++) {
            if ((copy.isOverflow(i) ? copy.overflowHash(i)
                : table.keys.hash(copy.bytes(), copy.from(i), table.seed)) == hash) {
                return i;
            }
        }
        return -1;
    }

    // ---- the current entry ----

    byte[] bytes() {
        return bytes;
    }

    int from() {
        return from;
    }

    /** Returns the key, if keys are numbers. */
    @Override
    public long number() {
        return (long) LONG.get(bytes, from);
    }

    int valueFrom() {
        return table.keys.end(bytes, from);
    }

    int end() {
        return from + length;
    }
}
