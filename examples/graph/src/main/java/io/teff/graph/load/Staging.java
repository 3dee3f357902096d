package io.teff.graph.load;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Arcs of one reading thread, sorted into buckets of vertices, off the heap.
 *
 * <pre>
 *  63                  32 31                   0
 * +----------------------+----------------------+
 * | vertex in the bucket |        target        |      and 8 bytes for the weight, of a weighted graph
 * +----------------------+----------------------+
 * </pre>
 *
 * <p>Each bucket has a list of blocks. Blocks are cut from slabs, which end together.
 */
final class Staging implements AutoCloseable {
    /** Arcs of a block. */
    static final int BLOCK_ARCS = 1024;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final long SLAB_BLOCKS_MAX = 512;

    private final Arena arena = Arena.ofShared();
    private final int arcBytes;
    private final List<MemorySegment>[] blocks;
    /** The block of each bucket that is being filled. */
    private final @Nullable MemorySegment[] current;
    private final int[] fill;
    private @Nullable MemorySegment slab;
    private long slabAt;
    private long slabBlocks = 1;

    @SuppressWarnings({"unchecked", "rawtypes"})
    Staging(int bucketCount, boolean isWeighted) {
        arcBytes = isWeighted ? 2 * Long.BYTES : Long.BYTES;
        blocks = new List[bucketCount];
        current = new MemorySegment[bucketCount];
        fill = new int[bucketCount];
    }

    /** Bytes of an arc that is staged. */
    static int arcBytes(boolean isWeighted) {
        return isWeighted ? 2 * Long.BYTES : Long.BYTES;
    }

    void add(int bucket, int local, int target, double weight) {
        MemorySegment block = current[bucket];
        int at = fill[bucket];
        if (block == null || at == BLOCK_ARCS) {
            block = next(bucket);
            at = 0;
        }
        long place = (long) at * arcBytes;
        block.set(LONG, place, (long) local << Integer.SIZE | target);
        if (arcBytes > Long.BYTES) {
            block.set(LONG, place + Long.BYTES, Double.doubleToRawLongBits(weight));
        }
        fill[bucket] = at + 1;
    }

    private MemorySegment next(int bucket) {
        long blockBytes = (long) BLOCK_ARCS * arcBytes;
        if (slab == null || slabAt == slab.byteSize()) {
            slab = arena.allocate(slabBlocks * blockBytes, Long.BYTES);
            slabBlocks = Math.min(slabBlocks * 2, SLAB_BLOCKS_MAX);
            slabAt = 0;
        }
        MemorySegment block = slab.asSlice(slabAt, blockBytes);
        slabAt += blockBytes;
        List<MemorySegment> list = blocks[bucket];
        if (list == null) {
            list = new ArrayList<>();
            blocks[bucket] = list;
        }
        list.add(block);
        current[bucket] = block;
        return block;
    }

    /** Number of arcs of a bucket. */
    long count(int bucket) {
        List<MemorySegment> list = blocks[bucket];
        return list == null ? 0 : (list.size() - 1L) * BLOCK_ARCS + fill[bucket];
    }

    /** Counts the arcs of each vertex of a bucket. */
    void count(int bucket, int[] counts) {
        List<MemorySegment> list = blocks[bucket];
        for (int i = 0; list != null && i < list.size(); i++) {
            MemorySegment block = list.get(i);
            int arcs = i < list.size() - 1 ? BLOCK_ARCS : fill[bucket];
            for (int at = 0; at < arcs; at++) {
                counts[(int) (block.get(LONG, (long) at * arcBytes) >>> Integer.SIZE)]++;
            }
        }
    }

    /** Puts the arcs of a bucket to the places of their vertices; advances the places. */
    void place(int bucket, int[] places, int[] targets, double @Nullable [] weights) {
        List<MemorySegment> list = blocks[bucket];
        for (int i = 0; list != null && i < list.size(); i++) {
            MemorySegment block = list.get(i);
            int arcs = i < list.size() - 1 ? BLOCK_ARCS : fill[bucket];
            for (int at = 0; at < arcs; at++) {
                long arc = block.get(LONG, (long) at * arcBytes);
                int place = places[(int) (arc >>> Integer.SIZE)]++;
                targets[place] = (int) arc;
                if (weights != null) {
                    weights[place] = Double.longBitsToDouble(block.get(LONG, (long) at * arcBytes + Long.BYTES));
                }
            }
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
