package io.teff.test.bench.durable;

import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.recovery.DurableConfig;
import io.teff.test.bench.session.NativeMemory;
import io.teff.test.bench.session.ProcessMemory;
import java.io.IOException;
import java.nio.file.Path;

/** Updates spread over an increasing number of zones, with the primary log and without. */
final class ZonesTrial extends DurableTrial {
    private static final int CHUNKS_MAX = 1 << 18;
    /** Binary logarithm of the number of CIDs of a zone. */
    private static final int ZONE_SHIFT = 20;
    private static final int WRITERS = 16;
    private static final int ONE_LEVEL_SKIP_BYTES = 0;
    private static final double MEGABYTE = 1e6;
    /** Number of memory samples while updates are logged. */
    private static final int PARTS = 10;

    private final int[] zoneCounts;

    ZonesTrial(DurablePlan plan, int... zoneCounts) {
        super(plan);
        this.zoneCounts = zoneCounts;
    }

    @Override
    void measure() throws IOException, InterruptedException {
        int few = zoneCounts[0];
        for (int zones : zoneCounts) {
            int chunks = Math.min(CHUNKS_MAX, plan.entries()) / zones * zones;
            for (int levels : Zoned.levels().toArray()) {
                inFolder(folder -> {
                    logged(folder, zones, levels, chunks);
                    synced(folder, zones, levels, chunks);
                });
            }
        }
        int many = zoneCounts[zoneCounts.length - 1];
        if (many > few) {
            figures.put(Zoned.MEMORY_PER_ZONE, ((double) figures.get(Zoned.memory(many))
                - (double) figures.get(Zoned.memory(few))) / (many - few));
        }
    }

    private TeffKeeper open(Path folder, Keeping keeping, int levels) {
        return new TeffKeeper(folder, keeping, plan.storeBytes(), config -> skip(config, levels));
    }

    private static DurableConfig.Builder skip(DurableConfig.Builder config, int levels) {
        return levels == 1 ? config.skipBytes(ONE_LEVEL_SKIP_BYTES) : config;
    }

    /** Consecutive keys belong to different zones. */
    private static long name(long key, int zones) {
        return Cid.of(1, key % zones << ZONE_SHIFT | key / zones + 1);
    }

    private void logged(Path folder, int zones, int levels, int chunks) {
        long heapBefore = ProcessMemory.now().heapBytes();
        long nativeBefore = NativeMemory.settled();
        try (TeffKeeper keeper = open(folder, Keeping.LOGGED, levels)) {
            byte[] value = new byte[Values.BYTES];
            int perZone = chunks / zones;
            for (long place = 0; place < chunks; place++) {
                long key = place % perZone * zones + place / perZone;           // ascending CIDs
                Values.write(value, 0, Values.BYTES, key, 0);
                int status = keeper.store().ids().createAt(name(key, zones), value);
                check(status == Status.OK, Status.name(status), key);
            }
            Updates updates = new Updates(keeper, key -> name(key, zones), Spread.RANDOM.keys(chunks));
            updates.rate(plan.measureNs());
            long most = NativeMemory.bytes();
            double rate = 0;
            for (int part = 0; part < PARTS; part++) {
                rate += updates.rate(plan.measureNs() / PARTS) / PARTS;
                most = Math.max(most, NativeMemory.bytes());
            }
            figures.put(Zoned.logged(zones, levels), rate);
            figures.put(Zoned.memory(zones), (most - nativeBefore + ProcessMemory.now().heapBytes() - heapBefore)
                / MEGABYTE);
        }
    }

    private void synced(Path folder, int zones, int levels, int chunks) throws InterruptedException {
        try (TeffKeeper keeper = open(folder, Keeping.SYNCED, levels)) {
            SyncedTrial.rate(keeper, key -> name(key, zones), chunks, WRITERS, plan.measureNs() / 2);
            figures.put(Zoned.synced(zones, levels),
                SyncedTrial.rate(keeper, key -> name(key, zones), chunks, WRITERS, plan.measureNs()));
        }
    }
}
