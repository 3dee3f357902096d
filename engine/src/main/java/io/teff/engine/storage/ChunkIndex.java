package io.teff.engine.storage;

import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.memory.ArrayBytes;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The root of a collection, and the index of the collection's numbered chunks (buckets or segments), from 0 on.
 *
 * <p>Numbered chunks are reserved in extents of {@value #EXTENT_CHUNKS} consecutive CIDs. Finding the CID of a number
 * takes one load and one addition, and a chunk's number costs no memory beyond the chunk's table entry. The root's
 * chunk stores the first CID of each extent.
 *
 * <p>One thread at a time changes the index; any number of threads read it. An extent is published before the count
 * includes its chunks, and is withdrawn after the count excludes them. So after a load of the count, a reader either
 * finds the chunk, or gets 0 or a CID without a chunk. The latter two prove a change of the count since the load.
 */
public final class ChunkIndex {
    /** Chunks of an extent. */
    public static final int EXTENT_CHUNKS = 1 << 10;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int EXTENT_SHIFT = Integer.numberOfTrailingZeros(EXTENT_CHUNKS);
    private static final int ROOM_FIRST = 8;

    private final CollectionChunks chunks;
    private final long root;
    private byte[] bytes;
    private volatile long[] extents;
    private volatile long count;

    private ChunkIndex(CollectionChunks chunks, long root, byte[] bytes) {
        this.chunks = chunks;
        this.root = root;
        this.bytes = bytes;
        this.extents = new long[(int) get(ChunkIndexLayout.EXTENTS_AT)];
        ArrayBytes.copyIn(bytes, ChunkIndexLayout.FIRST_AT, extents, 0, extents.length);
        this.count = get(ChunkIndexLayout.COUNT_AT);
    }

    /**
     * Creates a root without numbered chunks.
     *
     * @param chunks chunk operations of the store
     * @param cid CID of the root, which has never been used, or 0 to let the store choose one
     * @param seed seed of the collection's hash function
     * @param keyBytes length of each key, or -1 if keys differ in length
     * @return the index
     */
    public static ChunkIndex make(CollectionChunks chunks, long cid, long seed, int keyBytes) {
        byte[] bytes = new byte[ChunkIndexLayout.extentAt(ROOM_FIRST)];
        putLong(bytes, ChunkIndexLayout.MAGIC_AT, head(ChunkIndexLayout.VERSION));
        putLong(bytes, ChunkIndexLayout.SEED_AT, seed);
        putLong(bytes, ChunkIndexLayout.KEY_BYTES_AT, keyBytes);
        long root = cid;
        if (cid == 0) {
            root = chunks.create(bytes, 0, bytes.length);
        } else {
            chunks.store(cid, bytes, 0, bytes.length);
        }
        return new ChunkIndex(chunks, root, bytes);
    }

    /**
     * Reads a root.
     *
     * @param chunks chunk operations of the store
     * @param cid CID of the root
     * @return the index
     * @throws StoreException of category FATAL if the root is damaged
     */
    public static ChunkIndex open(CollectionChunks chunks, long cid) {
        return open(chunks, cid, ChunkIndexLayout.VERSION);
    }

    /**
     * Reads a root of one of several versions.
     *
     * @param chunks chunk operations of the store
     * @param cid CID of the root
     * @param versionMax the highest version that the collection reads
     * @return the index
     * @throws StoreException of category FATAL if the root is damaged, or of a higher version
     */
    public static ChunkIndex open(CollectionChunks chunks, long cid, int versionMax) {
        long size = chunks.size(cid);
        if (size == Status.ABSENT || size < ChunkIndexLayout.FIRST_AT || size > Integer.MAX_VALUE - Long.BYTES) {
            throw damaged(chunks, cid, "is gone, or of a wrong size: " + size);
        }
        byte[] bytes = new byte[(int) size];
        chunks.get(cid, bytes);
        long head = getLong(bytes, ChunkIndexLayout.MAGIC_AT);
        int version = (int) (head >>> Integer.SIZE);
        if (version < ChunkIndexLayout.VERSION || version > versionMax || head != head(version)) {
            throw damaged(chunks, cid, "is not a root of version " + versionMax);
        }
        long extents = getLong(bytes, ChunkIndexLayout.EXTENTS_AT);
        long count = getLong(bytes, ChunkIndexLayout.COUNT_AT);
        if (extents < 0 || extents > (size - ChunkIndexLayout.FIRST_AT) / Long.BYTES || count < 0
            || count > extents * EXTENT_CHUNKS) {
            throw damaged(chunks, cid, "says " + count + " chunks in " + extents + " extents");
        }
        return new ChunkIndex(chunks, cid, bytes);
    }

    /**
     * Returns the exception to throw when a chunk of a collection is missing or damaged. If the collection's zone was
     * dropped, that is the reason.
     *
     * @param chunks chunk operations of the store
     * @param cid the damaged chunk
     * @param what the damage, as the predicate of a sentence that begins with the chunk
     * @return a {@code ZoneDroppedException}, or a {@link StoreException} of category FATAL
     */
    public static RuntimeException damaged(CollectionChunks chunks, long cid, String what) {
        return chunks.isDropped() ? new ZoneDroppedException(CidLayout.nid(cid))
            : StoreException.fatal("chunk " + CidLayout.toString(cid) + " of a collection of store "
            + chunks.storeName() + " " + what);
    }

    private static long head(int version) {
        return ChunkIndexLayout.MAGIC | (long) version << Integer.SIZE;
    }

    private static void putLong(byte[] bytes, int at, long value) {
        LONG.set(bytes, at, value);
    }

    private static long getLong(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    private long get(int at) {
        return getLong(bytes, at);
    }

    // ---- reading ----

    /** {@return the root's CID} */
    public long root() {
        return root;
    }

    /** {@return the seed given to {@link #make}} */
    public long seed() {
        return get(ChunkIndexLayout.SEED_AT);
    }

    /** {@return the key length given to {@link #make}} */
    public int keyBytes() {
        return (int) get(ChunkIndexLayout.KEY_BYTES_AT);
    }

    /** {@return the number of numbered chunks; volatile} */
    public long count() {
        return count;
    }

    /**
     * Returns the CID of a numbered chunk.
     *
     * @param number number of the chunk
     * @return its CID, or 0, which is never the CID of a chunk, if the extent does not exist
     */
    public long cidOf(long number) {
        final long[] known = extents;
        final int extent = (int) (number >>> EXTENT_SHIFT);
        return Integer.compareUnsigned(extent, known.length) < 0 ? known[extent] + (number & EXTENT_CHUNKS - 1) : 0;
    }

    /** {@return bytes of the root and of the table entries of all extents} */
    public long memoryBytes() {
        return chunks.takenBytes(bytes.length) + (1L + (long) extents.length * EXTENT_CHUNKS) * Long.BYTES;
    }

    // ---- changes, by one thread at a time ----

    private void set(int at, long value) {
        putLong(bytes, at, value);
        long word = chunks.enter(root);
        try {
            chunks.touch(root);
            chunks.memory().putFieldLong(EntryWord.address(word) + at, value);
        } finally {
            chunks.leave(root);
        }
    }

    /**
     * Raises the version of the root, before the first change that programs of lower versions do not understand. No
     * effect if the root has the version.
     *
     * @param version the version, not below the present one
     */
    public void raise(int version) {
        if (get(ChunkIndexLayout.MAGIC_AT) != head(version)) {
            set(ChunkIndexLayout.MAGIC_AT, head(version));
        }
    }

    /**
     * Publishes the number of numbered chunks. Their chunks must exist; chunks beyond the count may exist.
     *
     * @param newCount the number
     */
    public void setCount(long newCount) {
        set(ChunkIndexLayout.COUNT_AT, newCount);
        count = newCount;
    }

    /**
     * Reserves the CID of a numbered chunk, unless reserved already. The number is at most one past the last chunk.
     *
     * @param number number of the chunk
     */
    public void reserve(long number) {
        if (cidOf(number) == 0) {
            long first = chunks.reserve(EXTENT_CHUNKS);
            long[] more = Arrays.copyOf(extents, extents.length + 1);
            more[more.length - 1] = first;
            boolean done = false;
            try {
                write(more);
                done = true;
            } finally {
                if (!done) {
                    remove(first);
                }
            }
            extents = more;
        }
    }

    /** Gives back the extents that lie entirely beyond the count. */
    public void trim() {
        while (extents.length > 0 && (extents.length - 1L) * EXTENT_CHUNKS >= count) {
            long first = extents[extents.length - 1];
            extents = Arrays.copyOf(extents, extents.length - 1);
            write(extents);
            remove(first);
        }
    }

    private void write(long[] written) {
        int needed = ChunkIndexLayout.extentAt(written.length);
        if (needed > bytes.length) {
            byte[] longer = Arrays.copyOf(bytes, ChunkIndexLayout.extentAt(written.length * 2));
            chunks.store(root, longer, 0, longer.length);
            bytes = longer;
        }
        if (written.length > 0) {
            set(ChunkIndexLayout.extentAt(written.length - 1), written[written.length - 1]);
        }
        set(ChunkIndexLayout.EXTENTS_AT, written.length);
    }

    private void remove(long first) {
        for (int i = 0; i < EXTENT_CHUNKS; i++) {
            chunks.remove(first + i);
            chunks.unreserve(first + i);
        }
    }

    /** Removes all numbered chunks and the root. */
    public void remove() {
        long[] last = extents;
        count = 0;
        extents = new long[0];
        for (long first : last) {
            remove(first);
        }
        chunks.remove(root);
    }
}
