package io.teff.engine.hash;

import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.journal.Journal;
import io.teff.engine.raw.RawChange;
import io.teff.engine.raw.RawChange.Step;
import io.teff.engine.raw.RawCodec;
import io.teff.engine.raw.RawGroup;
import io.teff.engine.raw.RawMap;
import io.teff.engine.raw.RawRead;
import io.teff.engine.raw.RawVisitor;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.CollectionGroup;
import io.teff.engine.storage.WriterLocks;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A hash map whose keys and values are bytes: the chunks of a {@link ChunkHashMap} with any codecs.
 *
 * <p><b>Readers</b> of {@link #read} and {@link #scan} take the writer lock of a key or bucket, unlike the readers of a
 * {@link ChunkHashMap}. A change is in memory before it is in the journal, and the lock is held from the change in
 * memory until the journal has the group. So under the lock nothing is visible that the journal does not have.
 */
public final class RawHashMap extends ChunkHashMap<byte[], byte[]> implements RawMap {
    private final RawGroup group;

    private RawHashMap(CollectionChunks chunks, ChunkIndex index) {
        super(chunks, new RawCodec("bytes", index.keyBytes()), Codecs.BYTES, index);
        group = new CollectionGroup(chunks);
    }

    /**
     * Creates an empty map.
     *
     * @param chunks chunk operations of the zone
     * @param keyBytes length of each key, or -1
     * @return the map
     */
    public static RawHashMap make(CollectionChunks chunks, int keyBytes) {
        return new RawHashMap(chunks, ChunkIndex.make(chunks, 0, chunks.chance().nextLong(), keyBytes));
    }

    /**
     * Opens an existing map.
     *
     * @param chunks chunk operations of the zone
     * @param cid CID of the root
     * @return the map
     */
    public static RawHashMap open(CollectionChunks chunks, long cid) {
        return new RawHashMap(chunks, ChunkIndex.open(chunks, cid));
    }

    @Override
    public int keyBytes() {
        return keys.fixedBytes();
    }

    @Override
    public void read(byte[] key, RawRead reader) {
        HashOperation operation = operationOn(key);
        try {
            table.lock(operation);
            try {
                int length = writer.find(operation) < 0 ? -1 : table.get(operation);
                reader.take(operation.bytes(), length, operation.bucket, operation.overflow);
            } finally {
                table.writerLocks.unlock(WriterLocks.of(operation.hash));
            }
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    @Override
    public void change(byte[] key, RawChange change, @Nullable Journal journal) {
        HashOperation operation = operationOn(key);
        try {
            chunks.begin(change.mayAdd());
            chunks.recordedBy(journal);
            try {
                table.lock(operation);
                try {
                    change(operation, change);
                } finally {
                    table.unlock(operation.hash);
                }
            } finally {
                chunks.recordedBy(null);
            }
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    private void change(HashOperation operation, RawChange change) {
        int index = writer.find(operation);
        int length = index < 0 ? -1 : table.get(operation);
        Step step = change.decide(operation.bytes(), length, operation.bucket, operation.overflow);
        if (step == Step.PUT) {
            Output entry = operation.beginEntry();
            change.write(entry);
            operation.endEntry();
            change.before(true, group);
            writer.put(operation, index);
            change.after(group);
            change.changed();
        } else if (step == Step.REMOVE && index >= 0) {
            change.before(false, group);
            writer.remove(operation, index);
            change.after(group);
            change.changed();
        }
    }

    // ---- scan ----

    /** Entries of a bucket in the order of the scan: the reversed bits of their hashes, as unsigned numbers. */
    private record Placed(long place, int index) {}

    @Override
    public long scan(long place, RawVisitor visitor) {
        HashOperation operation = ChunkHashMap.POOL.acquire();
        BucketBytes bucket = new BucketBytes();
        try {
            long next = place;
            do {
                Scan scan = new Scan(next, visitor);
                scan.bucket(operation, bucket);
                next = scan.next;
                if (scan.isFull) {
                    return next;
                }
            } while (next != 0);
            return 0;
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    /** The scan of one bucket. */
    private final class Scan {
        private final RawVisitor visitor;
        private long next;
        private boolean isFull;

        Scan(long place, RawVisitor visitor) {
            next = place;
            this.visitor = visitor;
        }

        /** Shows the entries of the bucket of a place, from the place on. */
        void bucket(HashOperation operation, BucketBytes bucket) {
            long from = next;
            long hash = Long.reverse(from);
            int lock = WriterLocks.of(hash);
            table.writerLocks.lock(lock);
            try {
                table.copy(hash, bucket);
                visitor.read(table.stableCid(hash));
                int level = bucket.level();
                next = Long.reverse(hash & (1L << level) - 1) + (1L << Long.SIZE - level);
                for (Placed entry : placed(bucket, from)) {
                    if (!show(operation, bucket, entry.index)) {
                        next = entry.place;
                        isFull = true;
                        return;
                    }
                }
            } finally {
                table.writerLocks.unlock(lock);
            }
        }

        private Placed[] placed(BucketBytes bucket, long from) {
            Placed[] all = new Placed[bucket.count()];
            int count = 0;
            for (int i = 0; i < all.length; i++) {
                long place = Long.reverse(bucket.isOverflow(i) ? bucket.overflowHash(i)
                    : keys.hash(bucket.bytes(), bucket.from(i), table.seed));
                if (Long.compareUnsigned(place, from) >= 0) {
                    all[count++] = new Placed(place, i);
                }
            }
            Placed[] left = Arrays.copyOf(all, count);
            Arrays.sort(left, (one, other) -> Long.compareUnsigned(one.place, other.place));
            return left;
        }

        private boolean show(HashOperation operation, BucketBytes bucket, int index) {
            byte[] bytes = bucket.bytes();
            int from = bucket.from(index);
            int length = bucket.bytesOf(index);
            if (bucket.isOverflow(index)) {
                visitor.read(bucket.overflowCid(index));
                length = table.readOverflow(bucket.overflowCid(index), operation);
                if (length < 0) {
                    throw ChunkIndex.damaged(chunks, bucket.overflowCid(index), "is gone");
                }
                bytes = operation.bytes();
                from = 0;
            }
            int key = keys.contentFrom(bytes, from);
            int value = keys.end(bytes, from);
            return visitor.entry(bytes, key, value - key, value, from + length - value);
        }
    }
}
