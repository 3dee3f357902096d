package io.teff.test.bench.index;

import io.teff.engine.Store;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.LongMapLoader;
import io.teff.engine.query.IndexedMap;
import io.teff.engine.query.Query;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Measures one store. Maps with none, one and two indexes take turns, in blocks of some thousand puts; figures are
 * medians of the blocks, and ratios are medians of the ratios of neighbouring blocks.
 */
final class IndexTrial {
    /** Entries of a group, and so of the answer of a query. */
    private static final int GROUP_ENTRIES = 1000;
    private static final int BLOCK = 5000;
    private static final int MAPS = 3;
    private static final int QUERIES = 200;
    private static final int WALKS = 3;
    private static final double MS = 1e6;

    private final Store store;
    private final int entries;
    private final int puts;
    private final SplittableRandom random = new SplittableRandom(7);
    private final Map<String, Double> figures = new LinkedHashMap<>();

    /** Changes the map with a number. */
    private interface Put {
        void put(ChunkLongMap<Item> map, long key, SplittableRandom random);
    }

    IndexTrial(Store store, int entries, int puts) {
        this.store = store;
        this.entries = entries;
        this.puts = puts;
    }

    Map<String, Double> run() {
        puts();
        queries();
        return figures;
    }

    private Item item(long key, int groups, SplittableRandom from) {
        return new Item(from.nextInt(groups), key, key / 3.0, "item " + (key & 0xFFFF));
    }

    // ---- puts ----

    @SuppressWarnings({"unchecked", "rawtypes"})
    private void puts() {
        int groups = Math.max(puts / GROUP_ENTRIES, 1);
        ChunkLongMap<Item>[] maps = new ChunkLongMap[MAPS];
        for (int i = 0; i < MAPS; i++) {
            maps[i] = store.longMap("puts " + i, Item.class);
            IndexedMap<Long, Item> indexed = IndexedMap.of(maps[i]);
            if (i > 0) {
                indexed.index("by group", Item.GROUP);
            }
            if (i > 1) {
                indexed.index("by time", Item.TIME);
            }
        }
        measure("new", maps, (map, key, from) -> map.set(mixed(key), item(key, groups, from)));
        measure("moved", maps, (map, _, from) -> {
            long key = from.nextLong(puts);
            map.set(mixed(key), item(from.nextLong(), groups, from));
        });
        for (int pass = 0; pass < 2; pass++) {                  // the first pass moves entries, the second keeps fields
            measure("same", maps, (map, key, _) -> map.set(mixed(key), new Item((int) key & 0xFF, key,
                random.nextDouble(), "a new name")));
        }
        for (int i = 0; i < MAPS; i++) {
            IndexedMap.of(maps[i]).audit();
            store.names().drop("puts " + i);
        }
    }

    private static long mixed(long key) {
        return key * 0x9E37_79B9_7F4A_7C15L;
    }

    private void measure(String name, ChunkLongMap<Item>[] maps, Put put) {
        int blocks = puts / BLOCK;
        double[][] ns = new double[MAPS][blocks];
        for (int block = 0; block < blocks; block++) {
            for (int turn = 0; turn < MAPS; turn++) {
                int which = (block + turn) % MAPS;
                SplittableRandom from = new SplittableRandom(block);
                long begin = System.nanoTime();
                for (long key = (long) block * BLOCK; key < (block + 1L) * BLOCK; key++) {
                    put.put(maps[which], key, from);
                }
                ns[which][block] = (System.nanoTime() - begin) / (double) BLOCK;
            }
        }
        int warm = blocks / 4;
        figures.put(name + " ns", median(Arrays.copyOfRange(ns[0], warm, blocks)));
        for (int i = 1; i < MAPS; i++) {
            double[] ratios = new double[blocks - warm];
            for (int block = warm; block < blocks; block++) {
                ratios[block - warm] = ns[i][block] / ns[0][block];
            }
            figures.put(name + " x" + i, median(ratios));
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    // ---- queries ----

    private void queries() {
        int groups = Math.max(entries / GROUP_ENTRIES, 1);
        ChunkLongMap<Item> map = store.longMap("queried", Item.class);
        try (LongMapLoader<Item> loader = map.loader(entries)) {
            for (long key = 0; key < entries; key++) {
                loader.add(mixed(key), new Item((int) (mixed(key + 1) >>> 33) % groups, key, key / 3.0, "item"));
            }
        }
        IndexedMap<Long, Item> items = IndexedMap.of(map);
        long begin = System.nanoTime();
        items.index("by group", Item.GROUP);
        figures.put("build us", (System.nanoTime() - begin) / 1e3 / entries);
        times("query ms", QUERIES, () -> items.where(Item.GROUP.equalTo(random.nextInt(groups))).stream()
            .mapToLong(Item::time).sum());
        times("query p99", QUERIES, () -> items.where(Item.GROUP.equalTo(random.nextInt(groups))).stream()
            .mapToLong(Item::time).sum());
        times("range count ms", QUERIES, () -> {
            int low = random.nextInt(groups);
            return items.where(Item.GROUP.between(low, low)).count();
        });
        Query<Long, Item> walk = items.where(Item.TIME.below((long) entries / 100));
        times("walk ms", WALKS, () -> walk.stream().count());
        times("walk all ms", WALKS, () -> items.all().stream().mapToLong(Item::time).sum());
        times("project ms", WALKS, () -> items.all().project(Time.class).mapToLong(Time::time).sum());
    }

    /** The only field that a walk reads. */
    private record Time(long time) {}

    private void times(String name, int count, LongSupplier work) {
        double[] ms = new double[count];
        long sum = 0;
        for (int i = -count / 2; i < count; i++) {
            long begin = System.nanoTime();
            sum += work.getAsLong();
            if (i >= 0) {
                ms[i] = (System.nanoTime() - begin) / MS;
            }
        }
        Arrays.sort(ms);
        figures.put(name, name.endsWith("p99") ? ms[count - 1 - count / 100] : ms[count / 2]);
        if (sum == 0) {
            throw new IllegalStateException(name + " has found nothing");
        }
    }
}
