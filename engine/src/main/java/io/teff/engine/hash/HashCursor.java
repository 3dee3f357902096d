package io.teff.engine.hash;

import io.teff.engine.map.LongCursor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.function.LongConsumer;

/**
 * A walk over the entries of a hash table, bucket by bucket, that splits and merges do not disturb.
 *
 * <p>It walks the hashes in the order of their bits read backwards. In this order a bucket of level l and number b has
 * one interval, from rev(b) on, of 2^(64 - l) hashes; a split cuts it in two, a merge joins two. So the place of the
 * walk is a number: everything before it was shown, nothing behind it. A bucket is copied as a whole, so it is shown as
 * it was at one moment. Not thread-safe.
 */
final class HashCursor implements LongCursor {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** How many buckets are fetched at once. */
    private static final int AHEAD = 6;

    private final LinearHash table;
    private final BucketBytes bucket = new BucketBytes();
    private final HashOperation operation = new HashOperation();
    /** Where the walk is, and where it ends; 0 for behind all hashes. */
    private long place;
    private final long end;
    private boolean more = true;
    /** How many of the next buckets were fetched; the first one tells how large they are. */
    private int near = 1;
    /** Of no use, see {@link LinearHash#fetch}. */
    long fetched;
    /** The bucket's entries count from here only. */
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

    /** Goes to the next entry; false at the end. */
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

    /** Shows the rest of the bucket of the current entry, if all of it is to be shown and lies inside: numbers. */
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

    /** Makes the next buckets be near; where they are is a guess, of buckets as large as the last one. */
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

    /** Makes an entry of the bucket the current one; false if it is gone. */
    private boolean load(int at) {
        if (!bucket.isOverflow(at)) {
            bytes = bucket.bytes();
            from = bucket.from(at);
            length = bucket.bytesOf(at);
            return true;
        }
        return loadOverflow(bucket.overflowHash(at), bucket.overflowCid(at));
    }

    /** The chunk may be gone because the value is another now: then the entry is searched again by its hash. */
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

    /** The key, if keys are numbers. */
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
