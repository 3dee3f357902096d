package io.teff.examples;

import io.teff.engine.Store;
import io.teff.engine.error.Status;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Batches: one call for many chunks.
 *
 * <p>A batch overlaps the cache misses of its chunks, so it is several times faster than single calls when the chunks
 * are spread over much memory. Contents lie one behind the other in one buffer; each chunk has a result of its own.
 */
public final class Batches {
    private static final int COUNT = 1_000;
    private static final int BYTES = 16;

    private Batches() {}

    static void main() {
        try (Store store = Store.open()) {
            long[] cids = new long[COUNT];
            int[] lengths = new int[COUNT];
            Arrays.fill(lengths, BYTES);
            MemorySegment contents = MemorySegment.ofArray(numbers());
            int created = store.batch().create(contents, lengths, cids, 0, false);
            IO.println("created: " + created);

            // One field of all chunks.
            long[] values = new long[COUNT];
            store.batch().getLong(cids, 0, COUNT, 0, -1, values);
            IO.println("sum: " + Arrays.stream(values).sum());

            // Some chunks do not exist any more; the others are removed, and each result says which.
            store.remove(cids[0]);
            long[] removed = new long[3];
            int count = store.batch().remove(cids, 0, 3, removed);
            IO.println("removed: " + count + " of 3; the first: " + Status.name(removed[0])
                + ", the second: " + removed[1] + " bytes");

            // Whole chunks, into one array: the contents of those that exist, without gaps.
            byte[] target = new byte[COUNT * BYTES];
            int[] got = new int[COUNT];
            int bytes = store.batch().get(cids, 0, COUNT, target, 0, got);
            long present = Arrays.stream(got).filter(length -> length >= 0).count();
            IO.println("got: " + present + " chunks, " + bytes + " bytes");
        }
    }

    /** Contents of all chunks: the number of the chunk, then its square. */
    private static byte[] numbers() {
        ByteBuffer buffer = ByteBuffer.allocate(COUNT * BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long number = 0; number < COUNT; number++) {
            buffer.putLong(number).putLong(number * number);
        }
        return buffer.array();
    }
}
