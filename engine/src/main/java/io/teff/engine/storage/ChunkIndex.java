package io.teff.engine.storage;

import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.memory.ArrayBytes;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The root of a collection, and by it the nodes of the collection, which are numbered from 0.
 *
 * <p>CollectionChunks come in groups of {@value #GROUP_NODES} consecutive CIDs, so the way from a number to a CID is one load and
 * an addition, and no node costs more than its table entry. The root's chunk has the CID of each group.
 *
 * <p>One thread at a time changes it; any number of threads read. A group is there before the count says so, and goes
 * after the count said so; so who has read the count before finds the nodes, or learns by 0, or by a CID that is no
 * chunk's, that the count is another now.
 */
public final class ChunkIndex {
    /** CollectionChunks of a group. */
    public static final int GROUP_NODES = 1 << 10;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int GROUP_SHIFT = Integer.numberOfTrailingZeros(GROUP_NODES);
    private static final int ROOM_FIRST = 8;
    private static final long HEAD = ChunkIndexLayout.MAGIC | (long) ChunkIndexLayout.VERSION << Integer.SIZE;

    private final CollectionChunks nodes;
    private final long root;
    private byte[] bytes;
    private volatile long[] groups;
    private volatile long count;

    private ChunkIndex(CollectionChunks nodes, long root, byte[] bytes) {
        this.nodes = nodes;
        this.root = root;
        this.bytes = bytes;
        this.groups = new long[(int) get(ChunkIndexLayout.GROUPS_AT)];
        ArrayBytes.copyIn(bytes, ChunkIndexLayout.FIRST_AT, groups, 0, groups.length);
        this.count = get(ChunkIndexLayout.COUNT_AT);
    }

    /**
     * Makes a root without nodes.
     *
     * @param nodes the store
     * @param cid its CID, which has never been used, or 0 for any
     * @param seed for the collection
     * @param keyBytes for the collection
     * @return the index
     */
    public static ChunkIndex make(CollectionChunks nodes, long cid, long seed, int keyBytes) {
        byte[] bytes = new byte[ChunkIndexLayout.groupAt(ROOM_FIRST)];
        putLong(bytes, ChunkIndexLayout.MAGIC_AT, HEAD);
        putLong(bytes, ChunkIndexLayout.SEED_AT, seed);
        putLong(bytes, ChunkIndexLayout.KEY_BYTES_AT, keyBytes);
        long root = cid;
        if (cid == 0) {
            root = nodes.create(bytes, 0, bytes.length);
        } else {
            nodes.store(cid, bytes, 0, bytes.length);
        }
        return new ChunkIndex(nodes, root, bytes);
    }

    /**
     * Reads a root.
     *
     * @param nodes the store
     * @param cid its CID
     * @return the index
     * @throws StoreException of category FATAL if it is damaged
     */
    public static ChunkIndex open(CollectionChunks nodes, long cid) {
        long size = nodes.size(cid);
        if (size == Status.ABSENT || size < ChunkIndexLayout.FIRST_AT || size > Integer.MAX_VALUE - Long.BYTES) {
            throw damaged(nodes, cid, "is gone, or of a wrong size: " + size);
        }
        byte[] bytes = new byte[(int) size];
        nodes.get(cid, bytes);
        if (getLong(bytes, ChunkIndexLayout.MAGIC_AT) != HEAD) {
            throw damaged(nodes, cid, "is no root of version " + ChunkIndexLayout.VERSION);
        }
        long groups = getLong(bytes, ChunkIndexLayout.GROUPS_AT);
        long count = getLong(bytes, ChunkIndexLayout.COUNT_AT);
        if (groups < 0 || groups > (size - ChunkIndexLayout.FIRST_AT) / Long.BYTES || count < 0
            || count > groups * GROUP_NODES) {
            throw damaged(nodes, cid, "says " + count + " nodes in " + groups + " groups");
        }
        return new ChunkIndex(nodes, cid, bytes);
    }

    /**
     * What to throw when a chunk of a collection is not what it should be.
     *
     * @param nodes the store
     * @param cid the chunk
     * @param what what it is
     * @return the exception, of category FATAL
     */
    public static StoreException damaged(CollectionChunks nodes, long cid, String what) {
        return StoreException.fatal("chunk " + CidLayout.toString(cid) + " of a collection of store "
            + nodes.storeName() + " " + what);
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

    /** {@return what was given to {@link #make}} */
    public long seed() {
        return get(ChunkIndexLayout.SEED_AT);
    }

    /** {@return what was given to {@link #make}} */
    public int keyBytes() {
        return (int) get(ChunkIndexLayout.KEY_BYTES_AT);
    }

    /** {@return how many nodes there are; volatile} */
    public long count() {
        return count;
    }

    /**
     * The chunk of a node.
     *
     * @param number of the node
     * @return its CID, or 0, which is no chunk's, if its group is gone
     */
    public long cidOf(long number) {
        final long[] known = groups;
        final int group = (int) (number >>> GROUP_SHIFT);
        return Integer.compareUnsigned(group, known.length) < 0 ? known[group] + (number & GROUP_NODES - 1) : 0;
    }

    /** {@return bytes of the root and of the nodes' table entries} */
    public long memoryBytes() {
        return nodes.takenBytes(bytes.length) + (1L + (long) groups.length * GROUP_NODES) * Long.BYTES;
    }

    // ---- changes, by one thread at a time ----

    private void set(int at, long value) {
        putLong(bytes, at, value);
        long word = nodes.enter(root);
        try {
            nodes.touch(root);
            nodes.memory().putFieldLong(EntryWord.address(word) + at, value);
        } finally {
            nodes.leave(root);
        }
    }

    /**
     * Says how many nodes there are. Their chunks are there, those beyond may be there.
     *
     * @param newCount the number
     */
    public void setCount(long newCount) {
        set(ChunkIndexLayout.COUNT_AT, newCount);
        count = newCount;
    }

    /**
     * Makes the CID of a node, at most one behind the last, if it has none.
     *
     * @param number of the node
     */
    public void reserve(long number) {
        if (cidOf(number) == 0) {
            long first = nodes.reserve(GROUP_NODES);
            long[] more = Arrays.copyOf(groups, groups.length + 1);
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
            groups = more;
        }
    }

    /** Gives groups back of which no node counts. */
    public void trim() {
        while (groups.length > 0 && (groups.length - 1L) * GROUP_NODES >= count) {
            long first = groups[groups.length - 1];
            groups = Arrays.copyOf(groups, groups.length - 1);
            write(groups);
            remove(first);
        }
    }

    private void write(long[] written) {
        int needed = ChunkIndexLayout.groupAt(written.length);
        if (needed > bytes.length) {
            byte[] longer = Arrays.copyOf(bytes, ChunkIndexLayout.groupAt(written.length * 2));
            nodes.store(root, longer, 0, longer.length);
            bytes = longer;
        }
        if (written.length > 0) {
            set(ChunkIndexLayout.groupAt(written.length - 1), written[written.length - 1]);
        }
        set(ChunkIndexLayout.GROUPS_AT, written.length);
    }

    private void remove(long first) {
        for (int i = 0; i < GROUP_NODES; i++) {
            nodes.remove(first + i);
            nodes.unreserve(first + i);
        }
    }

    /** Removes all nodes and the root. */
    public void remove() {
        long[] last = groups;
        count = 0;
        groups = new long[0];
        for (long first : last) {
            remove(first);
        }
        nodes.remove(root);
    }
}
