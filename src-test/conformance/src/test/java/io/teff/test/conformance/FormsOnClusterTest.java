package io.teff.test.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ChangeStream;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.NearCacheConfig;
import io.teff.cluster.WatchOptions;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.collect.ValueChange;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: programs of several versions use one collection at the same time. Each reads the values of all, an operation
 * that reads and writes a value back loses no field of a newer version, and versions that do not fit are refused.
 *
 * <p>Method: two clients of a cluster, of which each has its own records; the versions create the collection in either
 * order.
 */
final class FormsOnClusterTest {
    private static final long NONE_NS = 1;
    private static final long WAIT_NS = 20_000_000_000L;

    private final ClusterStore one = (ClusterStore) Fresh.CLUSTER.store();
    private final ClusterStore two = ClusterStore.connect(Fresh.clusterAddress());
    private final String name = Fresh.unused();

    @AfterEach
    void drop() {
        two.close();
        Fresh.CLUSTER.dropAll();
    }

    /** The records of the first version of a program. */
    interface First {
        record Account(String owner, long cents) {}

        record Seats(long free) {}
    }

    /** The records of the second version. */
    interface Second {
        record Account(String currency, String owner, long cents, List<String> tags) {}

        record Seats(long free, int rows) {}
    }

    /** The records of a third version. */
    interface Third {
        record Account(String currency, String owner, boolean isClosed, long cents, List<String> tags) {}
    }

    private static final Schema<First.Account> FIRST = Schema.of(First.Account.class);
    private static final Schema<Second.Account> SECOND = Schema.builder(Second.Account.class)
        .ifMissing(Second.Account.class, "currency", "EUR").build();

    /** The kinds of maps. */
    enum Kind {
        HASH, SORTED, NEAR;

        <V> ConcurrentMap<String, V> open(ClusterStore store, String name, Codec<V> values) {
            return switch (this) {
                case HASH -> store.map(name, Codecs.STRING, values);
                case SORTED -> store.sortedMap(name, Codecs.STRING, values, Comparator.naturalOrder());
                case NEAR -> store.withNearCache(NearCacheConfig.of(1 << 20, Duration.ofSeconds(1)))
                    .map(name, Codecs.STRING, values);
            };
        }
    }

    private static <V> boolean modify(ConcurrentMap<String, V> map, String key, ValueChange<? super V> change) {
        return map instanceof ChunkSortedMap<String, V> sorted ? sorted.modify(key, change)
            : ((ChunkMap<String, V>) map).modify(key, change);
    }

    private static <V> V apply(ConcurrentMap<String, V> map, String key, ValueChange<? super V> change) {
        return map instanceof ChunkSortedMap<String, V> sorted ? sorted.apply(key, change)
            : ((ChunkMap<String, V>) map).apply(key, change);
    }

    private static <V> Map<String, V> getAll(ConcurrentMap<String, V> map, List<String> keys) {
        return map instanceof ChunkSortedMap<String, V> sorted ? sorted.getAll(keys)
            : ((ChunkMap<String, V>) map).getAll(keys);
    }

    private static Second.Account second(long cents) {
        return new Second.Account("CHF", "Bob", cents, List.of("a", "b"));
    }

    // ---- both ways ----

    @ParameterizedTest
    @EnumSource
    void versions_readEachOther(Kind kind) {
        ConcurrentMap<String, First.Account> olds = kind.open(one, name, FIRST);
        olds.put("ada", new First.Account("Ada", 40));
        ConcurrentMap<String, Second.Account> news = kind.open(two, name, SECOND);
        assertEquals(new Second.Account("EUR", "Ada", 40, List.of()), news.get("ada"));
        news.put("bob", second(5));
        assertEquals(new First.Account("Bob", 5), olds.get("bob"), "the map was open before the newer version came");
        assertEquals(second(5), news.get("bob"));
        assertEquals(Map.of("ada", new First.Account("Ada", 40), "bob", new First.Account("Bob", 5)),
            getAll(olds, List.of("ada", "bob", "eve")));
        assertEquals(new First.Account("Bob", 5), olds.put("bob", new First.Account("Bob", 6)));
        assertEquals(new Second.Account("EUR", "Bob", 6, List.of()), news.remove("bob"), "a put replaces all fields");
        news.putAll(Map.of("x", second(1), "y", second(2)));
        olds.putAll(Map.of("z", new First.Account("Zoe", 3)));
        assertEquals(new Second.Account("EUR", "Zoe", 3, List.of()), news.get("z"));
        long[] sum = new long[2];
        olds.forEach((_, account) -> sum[0] += account.cents());
        news.forEach((_, account) -> sum[1] += account.cents());
        assertEquals(46, sum[0]);
        assertEquals(46, sum[1]);
    }

    @ParameterizedTest
    @EnumSource
    void versions_thatComeInTheOtherOrder_readEachOther(Kind kind) {
        ConcurrentMap<String, Second.Account> news = kind.open(two, name, SECOND);
        news.put("bob", second(5));
        ConcurrentMap<String, First.Account> olds = kind.open(one, name, FIRST);
        assertEquals(new First.Account("Bob", 5), olds.get("bob"));
        olds.put("ada", new First.Account("Ada", 40));
        assertEquals(new Second.Account("EUR", "Ada", 40, List.of()), news.get("ada"));
        assertTrue(news.replace("ada", new Second.Account("EUR", "Ada", 40, List.of()), second(7)));
        assertEquals(new First.Account("Bob", 7), olds.get("ada"));
        assertFalse(olds.remove("ada", new First.Account("Bob", 8)));
        assertTrue(olds.remove("ada", new First.Account("Bob", 7)));
        assertNull(news.get("ada"));
    }

    /** A form stays in the row when other versions open the map later. */
    @ParameterizedTest
    @EnumSource
    void threeVersions_inAnyOrder_readEachOther(Kind kind) {
        ConcurrentMap<String, Second.Account> seconds = kind.open(two, name, SECOND);
        Schema<Third.Account> third = Schema.of(Third.Account.class);
        ConcurrentMap<String, Third.Account> thirds = kind.open(one, name, third);
        thirds.put("t", new Third.Account("USD", "Tim", true, 9, List.of()));
        ConcurrentMap<String, First.Account> firsts = kind.open(one, name, FIRST);
        firsts.put("f", new First.Account("Fay", 1));
        seconds.put("s", second(2));
        assertEquals(new Third.Account("CHF", "Bob", false, 2, List.of("a", "b")), thirds.get("s"));
        assertEquals(new First.Account("Tim", 9), firsts.get("t"));
        assertEquals(new Second.Account("EUR", "Fay", 1, List.of()), seconds.get("f"));
        try (ClusterStore later = ClusterStore.connect(Fresh.clusterAddress())) {
            assertEquals(new Third.Account("USD", "Tim", true, 9, List.of()), kind.open(later, name, third).get("t"));
            assertEquals(new First.Account("Bob", 2), kind.open(later, name, FIRST).get("s"));
        }
    }

    // ---- operations that write a value back ----

    @ParameterizedTest
    @EnumSource
    void operationsOfTheOlderVersion_keepTheFieldsOfTheNewer(Kind kind) {
        ConcurrentMap<String, First.Account> olds = kind.open(one, name, FIRST);
        ConcurrentMap<String, Second.Account> news = kind.open(two, name, SECOND);
        news.put("bob", second(5));
        olds.merge("bob", new First.Account("", 10), (a, b) -> new First.Account(a.owner(), a.cents() + b.cents()));
        assertEquals(second(15), news.remove("bob"));
        news.put("bob", second(5));
        olds.compute("bob", (_, account) -> new First.Account("Rob", account.cents() + 1));
        assertEquals(new Second.Account("CHF", "Rob", 6, List.of("a", "b")), news.remove("bob"));
        news.put("bob", second(5));
        assertTrue(olds.replace("bob", new First.Account("Bob", 5), new First.Account("Bob", 7)));
        assertEquals(second(7), news.remove("bob"));
        news.put("bob", second(7));
        olds.replaceAll((_, account) -> new First.Account(account.owner(), 2 * account.cents()));
        assertEquals(second(14), news.get("bob"));
        news.replaceAll((_, account) -> account);
        assertEquals(second(14), news.get("bob"));
    }

    @ParameterizedTest
    @EnumSource
    void readyMadeFunctions_changeTheField_inEachForm(Kind kind) {
        ConcurrentMap<String, First.Account> olds = kind.open(one, name, FIRST);
        ConcurrentMap<String, Second.Account> news = kind.open(two, name, SECOND);
        ValueChange<Object> first = ValueChange.add(1).toLong(FIRST.offset("cents"));
        ValueChange<Object> second = ValueChange.add(100).toLong(SECOND.offset("cents"));
        olds.put("old", new First.Account("Ada", 40));
        news.put("new", second(5));
        for (String key : List.of("old", "new")) {
            assertTrue(modify(olds, key, first));
            assertEquals(olds.get(key), apply(olds, key, ValueChange.add(0).toLong(FIRST.offset("cents"))));
        }
        assertEquals(second(6), news.get("new"), "no field is lost");
        for (String key : List.of("old", "new")) {
            assertTrue(modify(news, key, second));
            assertEquals(news.get(key), apply(news, key, ValueChange.add(0).toLong(SECOND.offset("cents"))));
            assertFalse(modify(news, key, ValueChange.min(1000).toLong(SECOND.offset("cents"))));
        }
        assertEquals(new First.Account("Ada", 141), olds.get("old"));
        assertEquals(second(106), news.get("new"));
        if (kind != Kind.SORTED) {
            assertEquals(1, ((ChunkMap<String, First.Account>) olds).modifyAll(List.of("new", "none"), first));
            assertEquals(2, ((ChunkMap<String, Second.Account>) news).modifyAll(List.of("old", "new"), second));
        } else {
            assertTrue(modify(olds, "new", first));
            assertTrue(modify(news, "new", second));
        }
        assertEquals(second(207), news.get("new"));
        assertThrows(IndexOutOfBoundsException.class, () -> modify(olds, "old", ValueChange.add(1).toLong(1000)));
        assertFalse(modify(olds, "none", first));
        assertEquals(second(208), apply(news, "new", ValueChange.putIfGreater(second(208), SECOND.offset("cents"))));
        assertEquals(new First.Account("Bob", 208), olds.get("new"));
        assertEquals(new First.Account("Eva", 1), apply(olds, "eva", ValueChange.putIfGreater(
            new First.Account("Eva", 1), FIRST.offset("cents"))));
    }

    /** A registered function gets the bytes of its caller's version; no function is called that would lose fields. */
    @ParameterizedTest
    @EnumSource
    void registeredFunctions_getTheFormOfTheCaller(Kind kind) {
        ConcurrentMap<String, Second.Seats> news = kind.open(two, name, Schema.of(Second.Seats.class));
        ConcurrentMap<String, First.Seats> olds = kind.open(one, name, Schema.of(First.Seats.class));
        olds.put("a", new First.Seats(10));
        assertEquals(7, Seats.number(call(olds, "a", Seats.bytes(3))));
        assertEquals(new Second.Seats(7, 0), news.get("a"));
        news.put("b", new Second.Seats(10, 2));
        SchemaException lost = assertThrows(SchemaException.class, () -> call(olds, "b", Seats.bytes(3)));
        assertTrue(lost.getMessage().contains(name), lost.getMessage());
        assertEquals(new Second.Seats(10, 2), news.get("b"));
    }

    private byte[] call(ConcurrentMap<String, First.Seats> map, String key, byte[] argument) {
        return map instanceof ChunkSortedMap<String, First.Seats> sorted
            ? one.functions().call(sorted, key, Seats.NAME, argument)
            : one.functions().call((ChunkMap<String, First.Seats>) map, key, Seats.NAME, argument);
    }

    // ---- bytes, elements, streams ----

    @Test
    void bytesOfMapsOfNumbers_areOfTheCallersForm() {
        ChunkLongMap<Second.Account> news = two.longMap(name, SECOND);
        ChunkLongMap<First.Account> olds = one.longMap(name, FIRST);
        ChunkSortedLongMap<Second.Account> sortedNews = two.sortedLongMap(name + "-sorted", SECOND);
        ChunkSortedLongMap<First.Account> sortedOlds = one.sortedLongMap(name + "-sorted", FIRST);
        news.set(1, second(5));
        sortedNews.set(1, second(5));
        olds.set(2, new First.Account("Ada", 6));
        sortedOlds.set(2, new First.Account("Ada", 6));
        for (long key = 1; key <= 2; key++) {
            assertEquals(key + 4, olds.getLong(key, FIRST.offset("cents"), -1));
            assertEquals(key + 4, news.getLong(key, SECOND.offset("cents"), -1));
            assertEquals(key + 4, sortedOlds.getLong(key, FIRST.offset("cents"), -1));
            assertEquals(key + 4, sortedNews.getLong(key, SECOND.offset("cents"), -1));
        }
        byte[] bytes = new byte[100];
        int length = olds.getBytes(1, bytes, 0);
        assertEquals(new First.Account("Bob", 5), FIRST.read(new Input(bytes, 0, length)));
        olds.setBytes(3, bytes, 0, length);
        sortedOlds.setBytes(3, bytes, 0, length);
        assertEquals(new Second.Account("EUR", "Bob", 5, List.of()), news.get(3));
        assertEquals(new Second.Account("EUR", "Bob", 5, List.of()), sortedNews.get(3));
        byte[] again = new byte[100];
        assertEquals(length, sortedOlds.getBytes(1, again, 0));
        assertArrayEquals(bytes, again);
    }

    @Test
    void elements_ofQueuesAndLists_areReadByEachVersion() {
        ChunkQueue<First.Account> oldQueue = one.queue(name, FIRST);
        ChunkQueue<Second.Account> newQueue = two.queue(name, SECOND);
        newQueue.add(second(1));
        oldQueue.add(new First.Account("Ada", 2));
        newQueue.addAll(List.of(second(3), second(4)));
        assertEquals(new First.Account("Bob", 1), oldQueue.poll());
        assertEquals(new Second.Account("EUR", "Ada", 2, List.of()), newQueue.poll());
        assertEquals(List.of(3L, 4L), oldQueue.stream().map(First.Account::cents).toList());
        ChunkList<Second.Account> newList = two.list(name + "-list", SECOND);
        ChunkList<First.Account> oldList = one.list(name + "-list", FIRST);
        newList.add(second(1));
        oldList.add(new First.Account("Ada", 2));
        assertEquals(List.of(1L, 2L), oldList.stream().map(First.Account::cents).toList());
        assertEquals(second(1), newList.getFirst());
        assertEquals(new Second.Account("EUR", "Ada", 2, List.of()), newList.set(1, second(2)));
    }

    @Test
    void stream_ofOneVersion_showsTheValuesOfTheOther() {
        ChunkMap<String, First.Account> olds = one.map(name, Codecs.STRING, FIRST);
        ChunkMap<String, Second.Account> news = two.map(name, Codecs.STRING, SECOND);
        try (ChangeStream<String, First.Account> changes = one.watch(olds, WatchOptions.all())) {
            assertTrue(changes.next(NONE_NS).isEmpty());
            news.put("bob", second(5));
            assertEquals(new First.Account("Bob", 5),
                ((ChangeStream.Put<String, First.Account>) changes.next(WAIT_NS).orElseThrow()).value());
        }
    }

    // ---- what is refused ----

    record Cents(String owner, int cents) {}

    record Text(String owner, String cents) {}

    record Key(String name) {}

    record LaterKey(String name, int number) {}

    @Test
    void versions_thatDoNotFit_areRefused_withBothDescriptions() {
        one.map(name, Codecs.STRING, FIRST);
        for (Class<?> type : List.of(Cents.class, Text.class)) {
            String message = assertThrows(IllegalArgumentException.class, () ->
                two.map(name, Codecs.STRING, Schema.of(type))).getMessage();
            assertTrue(message.contains(name) && message.contains(".cents: "), message);
            assertTrue(message.contains(FIRST.description()) && message.contains(Schema.of(type).description()),
                message);
        }
        assertThrows(IllegalArgumentException.class, () -> two.map(name, Codecs.STRING, Codecs.LONG));
        assertThrows(IllegalArgumentException.class, () -> two.sortedMap(name, Codecs.STRING, FIRST));
        one.map(name + "-keys", Schema.of(Key.class), FIRST);
        assertThrows(IllegalArgumentException.class, () ->
            two.map(name + "-keys", Schema.of(LaterKey.class), SECOND), "the bytes of keys are compared");
        one.set(name + "-set", Schema.of(Key.class));
        assertThrows(IllegalArgumentException.class, () -> two.set(name + "-set", Schema.of(LaterKey.class)));
        assertEquals(FIRST.description(), one.names().get(name).orElseThrow().values());
    }
}
