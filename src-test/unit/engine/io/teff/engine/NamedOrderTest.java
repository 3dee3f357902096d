package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.collect.NamedComparator;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import io.teff.engine.journal.JournaledStores;
import java.nio.file.Path;
import java.util.Comparator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a sorted map is only opened with the order of its keys, even if the present keys are in several orders.
 *
 * <p>Method: keys that are in two orders at once; a second opening in one process and after a restart; a map without
 * the name of an order.
 */
final class NamedOrderTest {
    private static final Codec<Place> PLACES = Codecs.of(Place.class);
    private static final Comparator<Place> BY_ROW = Comparator.comparingInt(Place::row).thenComparingInt(Place::column);
    private static final Comparator<Place> BY_COLUMN = Comparator.comparingInt(Place::column)
        .thenComparingInt(Place::row);
    private static final NamedComparator<Place> ROWS = NamedComparator.of("by row", BY_ROW);
    private static final NamedComparator<Place> COLUMNS = NamedComparator.of("by column", BY_COLUMN);

    record Place(int row, int column) {}

    /** A comparator that is known by its class. */
    private static final class RowOrder implements Comparator<Place> {
        @Override
        public int compare(Place left, Place right) {
            return BY_ROW.compare(left, right);
        }
    }

    private enum Orders implements Comparator<Place> {
        ROW, COLUMN;

        @Override
        public int compare(Place left, Place right) {
            return (this == ROW ? BY_ROW : BY_COLUMN).compare(left, right);
        }
    }

    @TempDir
    Path folder;

    private static StoreConfig config() {
        return StoreConfig.builder().memoryLimitBytes(64L << 20).build();
    }

    private static ChunkSortedMap<Place, Integer> open(Store store, Comparator<Place> order) {
        return store.sortedMap("m", PLACES, Codecs.INT, order);
    }

    private static void fill(Store store, Comparator<Place> order) {
        for (int i = 0; i < 10; i++) {
            open(store, order).put(new Place(0, i), i);
        }
    }

    private static void refused(Store store, Comparator<Place> order, String... parts) {
        String text = assertThrows(IllegalArgumentException.class, () -> open(store, order)).getMessage();
        for (String part : parts) {
            assertTrue(text.contains(part), text);
        }
    }

    @Test
    void anotherOrderInTheProcess_isRefused() {
        try (Store store = Store.open(config())) {
            ChunkSortedMap<Place, Integer> map = open(store, BY_ROW);
            assertSame(map, open(store, BY_ROW));
            refused(store, BY_COLUMN, "sorted map m ", "no name");
            refused(store, COLUMNS, "sorted map m ", "'by column'");
            ChunkSortedMap<String, Integer> up = store.sortedMap("up", Codecs.STRING, Codecs.INT,
                Comparator.naturalOrder());
            String text = assertThrows(IllegalArgumentException.class, () -> store.sortedMap("up", Codecs.STRING,
                Codecs.INT, Comparator.reverseOrder())).getMessage();
            assertTrue(text.contains("up") && text.contains("'natural order'") && text.contains("'reverse order'"),
                text);
            assertSame(up, store.sortedMap("up", Codecs.STRING, Codecs.INT, Comparator.naturalOrder()));
        }
    }

    @Test
    void anotherOrderAfterARestart_isRefused() {
        RecordingJournal journal = new RecordingJournal();
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { })) {
            fill(store, ROWS);
        }
        try (Store store = journal.restore(journal.size(), config(), journal)) {
            refused(store, COLUMNS, "sorted map m ", "'by row'", "'by column'");
            refused(store, BY_COLUMN, "sorted map m ", "'by row'", "no name");
            refused(store, ROWS.reversed(), "'by row'", "'reverse of by row'");
            String text = assertThrows(IllegalArgumentException.class, () -> store.names().migrate("m", PLACES,
                Codecs.LONG, COLUMNS)).getMessage();
            assertTrue(text.contains("'by row'") && text.contains("'by column'"), text);
            assertEquals("by row", store.names().get("m").orElseThrow().order());
            assertEquals(10, open(store, NamedComparator.of("by row", BY_ROW)).size());
            store.audit();
        }
        try (Store store = journal.restore(journal.size(), config(), journal)) {
            assertTrue(store.names().migrate("m", PLACES, Codecs.LONG, ROWS));
            assertEquals("by row", store.names().get("m").orElseThrow().order());
            assertEquals(10, store.sortedMap("m", PLACES, Codecs.LONG, ROWS).size());
        }
    }

    @Test
    void comparatorWithoutAName_isRefusedByAStoreThatIsKept() {
        RecordingJournal journal = new RecordingJournal();
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { })) {
            refused(store, BY_ROW, "sorted map m ", "no name", "NamedComparator");
            assertTrue(store.names().all().isEmpty());
            open(store, new RowOrder());
            assertEquals(RowOrder.class.getName(), store.names().get("m").orElseThrow().order());
            refused(store, Orders.COLUMN, "sorted map m ", RowOrder.class.getName(), "COLUMN");
        }
    }

    /** A map of an earlier version, or of a store in memory, has no name of an order. */
    @Test
    void mapWithoutANameOfItsOrder_getsTheFirstName() {
        Path file = folder.resolve("unnamed.snapshot");
        try (Store store = Store.open(config())) {
            fill(store, BY_ROW);
            assertEquals("", store.names().get("m").orElseThrow().order());
            store.snapshot(file);
        }
        try (Store store = Store.restore(file, config())) {
            assertEquals(10, open(store, BY_ROW).size());
            assertEquals("", store.names().get("m").orElseThrow().order());
            store.snapshot(file);
        }
        try (Store store = Store.restore(file, config())) {
            assertEquals(10, open(store, ROWS).size());
            assertEquals("by row", store.names().get("m").orElseThrow().order());
            store.snapshot(file);
        }
        try (Store store = Store.restore(file, config())) {
            refused(store, COLUMNS, "'by row'");
            assertEquals(10, open(store, ROWS).size());
        }
    }

    @Test
    void keysInAnotherOrder_nameTheMapAndTheReason() {
        Path file = folder.resolve("unnamed.snapshot");
        try (Store store = Store.open(config())) {
            fill(store, BY_ROW.reversed());
            store.snapshot(file);
        }
        try (Store store = Store.restore(file, config())) {
            String text = assertThrows(StoreException.class, () -> open(store, ROWS)).getMessage();
            assertTrue(text.contains("sorted map m ") && text.contains("perhaps 'by row' is not the order"), text);
            assertEquals(10, open(store, BY_ROW.reversed()).size());
        }
    }

    @Test
    void nameOf_knowsComparatorsThatSayEverythingByTheirClass() {
        assertEquals("natural order", NamedComparator.nameOf(Comparator.naturalOrder()));
        assertEquals("reverse order", NamedComparator.nameOf(Comparator.naturalOrder().reversed()));
        assertEquals(String.CASE_INSENSITIVE_ORDER.getClass().getName(),
            NamedComparator.nameOf(String.CASE_INSENSITIVE_ORDER));
        assertEquals(Orders.class.getName() + ".ROW", NamedComparator.nameOf(Orders.ROW));
        assertEquals("by row", NamedComparator.nameOf(ROWS));
        assertNull(NamedComparator.nameOf(BY_ROW));
        assertNull(NamedComparator.nameOf((_, _) -> 0));
        assertNull(NamedComparator.nameOf(BY_ROW.reversed()));
        assertNull(NamedComparator.nameOf(new Comparator<Place>() {
            @Override
            public int compare(Place left, Place right) {
                return left.equals(right) ? 0 : 1;
            }
        }));
        assertNotSame(ROWS, NamedComparator.of("by row", BY_ROW));
        assertEquals(ROWS, NamedComparator.of("by row", BY_ROW));
        assertThrows(IllegalArgumentException.class, () -> NamedComparator.of("", BY_ROW));
    }
}
