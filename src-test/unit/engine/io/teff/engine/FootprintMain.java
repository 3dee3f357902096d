package io.teff.engine;

import io.teff.engine.error.Status;
import io.teff.engine.os.Machine;
import java.util.SplittableRandom;

/** Fills a store in a JVM of its own and compares what the store accounts for with what the process grew by. */
public final class FootprintMain {
    private static final int WARM_CHUNKS = 200_000;

    private FootprintMain() {}

    /**
     * Prints chunks, bytes per chunk beyond the payload, accounted bytes and growth of the resident set.
     *
     * @param args number of chunks, smallest and largest length
     */
    public static void main(String[] args) {
        int chunks = Integer.parseInt(args[0]);
        int lengthMin = Integer.parseInt(args[1]);
        int lengthMax = Integer.parseInt(args[2]);
        try (Store warm = Store.open()) {
            fill(warm, WARM_CHUNKS, lengthMin, lengthMax);      // so that code and heap have their size
        }
        long before = Machine.residentBytes();
        try (Store store = Store.open()) {
            fill(store, chunks, lengthMin, lengthMax);
            long grown = Machine.residentBytes() - before;
            StoreStats stats = store.stats();
            System.out.println(stats.chunks() + " " + stats.overheadPerChunk() + " " + stats.committedBytes() + " " + grown
                + " " + stats.wasteBytes() + " " + stats.freeSlotBytes() + " " + stats.tableBytes());
        }
    }

    private static void fill(Store store, int chunks, int lengthMin, int lengthMax) {
        SplittableRandom random = new SplittableRandom(42);
        byte[] content = new byte[lengthMax];
        for (int i = 0; i < chunks; i++) {
            long cid = store.create(content, 0, random.nextInt(lengthMin, lengthMax + 1));
            if (Status.isStatus(cid)) {
                throw new IllegalStateException(Status.name(cid));
            }
        }
    }
}
