package io.teff.engine.hash;

import io.teff.engine.codec.Output;
import io.teff.engine.storage.ObjectPool;
import io.teff.engine.view.ChunkView;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A copy of one bucket of a {@link StampedMap}: the hashes and deadlines of its entries. Not thread-safe. */
public final class StampedBucket {
    /** Buckets for short use. */
    public static final ObjectPool<StampedBucket> POOL = new ObjectPool<>(StampedBucket::new, StampedBucket::isKept);

    private static final int ENTRIES_FIRST = 32;

    private final BucketBytes bytes = new BucketBytes();
    private final HashOperation operation = new HashOperation();
    private @Nullable LinearHash table;
    private long[] deadlines = new long[ENTRIES_FIRST];

    /** Creates a target for copies. */
    public StampedBucket() {}

    /** {@return the number of entries} */
    public int count() {
        return bytes.count();
    }

    /**
     * Returns the hash of an entry's key.
     *
     * @param index number of the entry
     * @return the hash
     */
    public long hash(int index) {
        if (bytes.isOverflow(index)) {
            return bytes.overflowHash(index);
        }
        LinearHash copied = Objects.requireNonNull(table);
        return copied.keys.hash(bytes.bytes(), bytes.from(index), copied.seed);
    }

    /**
     * Returns the deadline of an entry.
     *
     * @param index number of the entry
     * @return the deadline; {@link StampLayout#NEVER} also if a long entry was not read
     */
    public long deadline(int index) {
        return deadlines[index];
    }

    private boolean isKept() {
        return operation.isKept();
    }

    BucketBytes bytes() {
        return bytes;
    }

    /** Copies the bucket of a hash; returns whether all deadlines are known. */
    boolean copy(StampedMap<?, ?> map, long hash) {
        LinearHash source = map.table();
        table = source;
        source.copy(hash, bytes);
        int count = bytes.count();
        if (count > deadlines.length) {
            deadlines = Arrays.copyOf(deadlines, count + ENTRIES_FIRST);
        }
        boolean isWhole = true;
        for (int i = 0; i < count; i++) {
            if (bytes.isOverflow(i)) {
                deadlines[i] = StampLayout.NEVER;
                isWhole = isWhole && map.stampBytes() == 0;
            } else {
                int from = bytes.from(i);
                int value = source.keys.end(bytes.bytes(), from);
                deadlines[i] = map.stamp(bytes.bytes(), value, from + bytes.bytesOf(i) - value, StampLayout.DEADLINE);
            }
        }
        return isWhole;
    }

    /**
     * Reads the deadlines of the entries in chunks of their own, without their values. The writer lock of the bucket is
     * held.
     */
    void readOverflow(StampedMap<?, ?> map) {
        LinearHash source = map.table();
        for (int i = 0; i < count(); i++) {
            if (bytes.isOverflow(i)) {
                int entry = i;
                long cid = bytes.overflowCid(i);
                source.chunks.view(cid, 0, source.chunks.size(cid), view -> deadlines[entry] = deadline(map, view));
            }
        }
    }

    private static long deadline(StampedMap<?, ?> map, ChunkView view) {
        int value = map.table().keys.end(view);
        byte[] stamp = new byte[StampLayout.BYTES];
        view.copyTo(value, stamp, 0, StampLayout.BYTES);
        return map.stamp(stamp, 0, map.stampBytes(), StampLayout.DEADLINE);
    }

    /** Loads the key of an entry into an operation; returns false if the entry was removed meanwhile. */
    boolean loadKey(StampedMap<?, ?> map, int index, HashOperation target) {
        LinearHash own = map.table();
        byte[] source = bytes.bytes();
        int from = bytes.from(index);
        if (bytes.isOverflow(index)) {
            if (own.readOverflow(bytes.overflowCid(index), operation) < 0) {
                return false;
            }
            source = operation.bytes();
            from = 0;
        }
        int length = own.keys.end(source, from) - from;
        Output out = target.out();
        out.clear();
        out.putBytes(source, from, length);
        own.keys.loaded(target, length, own.seed);
        return true;
    }
}
