package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.ChunkSortedMap;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Goal: a codec that declares a size and writes another number of bytes is refused when it writes, by everything that
 * stores values, and the values before remain as they were.
 *
 * <p>Method: the codec declares 8 bytes, and writes 600 bytes for a negative number and 3 bytes for 0.
 */
final class DeclaredSizeTest {
    private static final Codec<Long> WRONG = new Codec<>() {
        @Override
        public void write(Long value, Output out) {
            if (value == 0) {
                out.putBytes(new byte[3], 0, 3);
                return;
            }
            out.putLong(value);
            out.putBytes(new byte[592], 0, value < 0 ? 592 : 0);
        }

        @Override
        public Long read(Input in) {
            return in.getLong();
        }

        @Override
        public long fingerprint() {
            return 5;
        }

        @Override
        public int fixedBytes() {
            return Long.BYTES;
        }

        @Override
        public String toString() {
            return "wrong";
        }
    };

    /** A field with the wrong codec. */
    private record Price(Long cents) {}

    private static void refused(int bytes, Executable change) {
        assertEquals("wrong wrote " + bytes + " bytes, not 8", assertThrows(IllegalStateException.class, change)
            .getMessage());
    }

    private static <M extends ConcurrentMap<Long, Long> & ChunkCollection> void checkMap(M map) {
        map.put(1L, 1L);
        refused(600, () -> map.put(1L, -1L));
        refused(3, () -> map.put(2L, 0L));
        refused(600, () -> map.putIfAbsent(2L, -1L));
        refused(600, () -> map.merge(1L, 2L, (_, _) -> -1L));
        refused(600, () -> map.replaceAll((_, _) -> -1L));
        assertEquals(List.of(1L), List.copyOf(map.values()));
        map.audit();
    }

    @Test
    void valuesOfMaps_areRefused() {
        try (Store store = Store.open()) {
            checkMap(store.map("hash", Codecs.LONG, WRONG));
            checkMap(store.longMap("long", WRONG));
            checkMap(store.sortedMap("sorted", Codecs.LONG, WRONG));
            checkMap(store.sortedLongMap("sorted long", WRONG));
            refused(600, () -> store.longMap("long", WRONG).set(1, -1L));
            refused(600, () -> store.sortedLongMap("sorted long", WRONG).set(1, -1L));
            store.audit();
        }
    }

    @Test
    void keys_areRefused() {
        try (Store store = Store.open()) {
            ChunkMap<Long, Long> map = store.map("hash", WRONG, Codecs.LONG);
            refused(600, () -> map.put(-1L, 1L));
            ChunkSortedMap<Long, Long> sorted = store.sortedMap("sorted", WRONG, Codecs.LONG,
                Comparator.naturalOrder());
            refused(600, () -> sorted.put(-1L, 1L));
            ChunkSet<Long> set = store.set("set", WRONG);
            refused(3, () -> set.add(0L));
            assertTrue(map.isEmpty() && sorted.isEmpty() && set.isEmpty());
            store.audit();
        }
    }

    @Test
    void elements_areRefused() {
        try (Store store = Store.open()) {
            ChunkList<Long> list = store.list("list", WRONG);
            list.add(1L);
            refused(600, () -> list.add(-1L));
            refused(3, () -> list.addFirst(0L));
            refused(600, () -> list.set(0, -1L));
            refused(600, () -> list.replaceAll(_ -> -1L));
            refused(600, () -> list.addAll(List.of(-1L)));
            assertEquals(List.of(1L), List.copyOf(list));
            list.audit();
            ChunkQueue<Long> queue = store.queue("queue", WRONG);
            refused(600, () -> queue.add(-1L));
            queue.add(1L);
            assertEquals(1L, queue.poll());
            queue.audit();
            store.audit();
        }
    }

    @Test
    void chunksAndFields_areRefused() {
        try (Store store = Store.open()) {
            TypedChunks<Long> chunks = new TypedChunks<>(store, WRONG);
            long cid = chunks.create(1L);
            refused(600, () -> chunks.put(cid, -1L));
            refused(3, () -> chunks.create(0L));
            assertEquals(1L, chunks.get(cid).orElseThrow());
            ChunkMap<Long, Price> prices = store.map("prices", Codecs.LONG, Schema.builder(Price.class)
                .codec(Long.class, WRONG).build());
            refused(600, () -> prices.put(1L, new Price(-1L)));
            ChunkMap<Long, List<Long>> lists = store.map("lists", Codecs.LONG, Codecs.list(WRONG));
            refused(3, () -> lists.put(1L, List.of(1L, 0L)));
            assertTrue(prices.isEmpty() && lists.isEmpty());
            store.audit();
        }
    }
}
