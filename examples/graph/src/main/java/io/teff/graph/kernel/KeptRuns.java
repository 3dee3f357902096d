package io.teff.graph.kernel;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a graph in arrays off the heap, block by block, for algorithms that read each run in each round.
 *
 * <p>A cursor copies a chunk for each run, and decodes the packed form. A round over arrays spares both. Each block is
 * read once, by the thread that has the block; blocks are kept until their bytes reach a limit. The runs of the other
 * blocks are read by cursors in each round. So the memory has a bound, and a graph beyond the bound is slower, not
 * refused. The choice of blocks depends on the threads, the result of an algorithm does not.
 */
final class KeptRuns implements AutoCloseable {
    /** Most bytes of kept runs, 4 for each arc: a graph of 134 million edges without direction. */
    static final long BYTES_MAX = 1L << 30;
    /** Most bytes of the runs of a block, which are on the heap until the end of the block. */
    private static final long BLOCK_BYTES_MAX = 1L << 26;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final int FIRST_LENGTH = 1 << 14;

    private final Adjacency graph;
    private final int blockShift;
    private final @Nullable Block[] blocks;
    private final Arena arena = Arena.ofShared();
    private final AtomicLong bytesLeft;

    /**
     * The runs of some consecutive vertices.
     *
     * @param ends end of each run in the targets
     * @param targets numbers of 4 bytes
     */
    record Block(int[] ends, MemorySegment targets) {
        int target(int place) {
            return targets.get(INT, (long) place * Integer.BYTES);
        }
    }

    /**
     * Begins without blocks.
     *
     * @param graph whose runs are kept
     * @param blockShift a block has two to this power of vertices
     * @param bytesMax most bytes of targets
     */
    KeptRuns(Adjacency graph, int blockShift, long bytesMax) {
        this.graph = graph;
        this.blockShift = blockShift;
        this.blocks = new Block[(graph.vertexCount() >>> blockShift) + 1];
        this.bytesLeft = new AtomicLong(bytesMax);
    }

    /** Returns the block that begins with a vertex; null if the runs of the block are not kept. */
    @Nullable Block block(int from) {
        return blocks[from >>> blockShift];
    }

    /**
     * Reads the runs of a block, and keeps the runs if the memory suffices.
     *
     * @param from first vertex of the block
     * @param to vertex behind the block
     * @param lengths receives the length of the run of each vertex, at the number of the vertex; null if not wanted
     */
    void read(int from, int to, int @Nullable [] lengths) {
        final Neighbours cursor = graph.neighbours();
        int[] ends = new int[to - from];
        int[] targets = new int[FIRST_LENGTH];
        int end = 0;
        boolean fits = true;
        for (int vertex = from; vertex < to; vertex++) {
            final int length = cursor.open(vertex);
            if (lengths != null) {
                lengths[vertex] = length;
            }
            fits = fits && (end + (long) length) * Integer.BYTES <= Math.min(bytesLeft.get(), BLOCK_BYTES_MAX);
            if (fits) {
                if (end + length > targets.length) {
                    targets = Arrays.copyOf(targets, Math.max(end + length, 2 * targets.length));
                }
                cursor.next(targets, end, length);
                end += length;
                ends[vertex - from] = end;
            }
        }
        final long bytes = (long) end * Integer.BYTES;
        if (!fits) {
            return;
        }
        if (bytesLeft.addAndGet(-bytes) < 0) {
            bytesLeft.addAndGet(bytes);
            return;
        }
        MemorySegment kept = arena.allocate(Math.max(bytes, Integer.BYTES), Integer.BYTES);
        MemorySegment.copy(targets, 0, kept, INT, 0, end);
        blocks[from >>> blockShift] = new Block(ends, kept);
    }

    /** Frees the memory. No thread may read a block. */
    @Override
    public void close() {
        arena.close();
    }
}
