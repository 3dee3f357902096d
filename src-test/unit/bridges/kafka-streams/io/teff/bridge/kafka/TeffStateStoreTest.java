package io.teff.bridge.kafka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.collect.ChunkSortedMap;
import io.teff.recovery.DurableConfig;
import io.teff.test.kit.Threads;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.query.FailureReason;
import org.apache.kafka.streams.query.KeyQuery;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.RangeQuery;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the store answers each call as Kafka's own persistent store does. Method: the same random operations on both
 * stores, in Kafka's mock of a context, with keys of few bytes, so that prefixes and ends of ranges meet.
 */
final class TeffStateStoreTest {
    private static final long SEED = Long.getLong("seed", 1);
    private static final String REPRODUCE = "reproduce: -Dseed=" + SEED;
    private static final int STEPS = 3000;
    private static final byte[][] EDGES = {{0}, {1}, {'a'}, {0x7F}, {(byte) 0x80}, {(byte) 0xFF}};
    private static final String NAME = "kept";

    @TempDir
    private Path folder;

    private BatchingStateRestoreCallback restore;
    private MockProcessorContext<Object, Object> mock;
    private KeyValueStore<Bytes, byte[]> teff;

    @BeforeEach
    void open() {
        teff = opened(TeffStores.keyValueStore(NAME), "teff");
    }

    @AfterEach
    void close() {
        teff.close();
    }

    private KeyValueStore<Bytes, byte[]> opened(KeyValueBytesStoreSupplier supplier, String home) {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
        mock = new MockProcessorContext<>(config, new TaskId(0, 0), folder.resolve(home).toFile());
        mock.setRecordMetadata("topic", 0, 0);
        KeyValueStore<Bytes, byte[]> store = supplier.get();
        store.init(catching(mock.getStateStoreContext(), home), store);
        return store;
    }

    /** The context of the mock, which forgets the callback for the changelog, and keeps it here. */
    private StateStoreContext catching(StateStoreContext context, String home) {
        if (!home.equals("teff")) {
            return context;
        }
        return (StateStoreContext) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {StateStoreContext.class}, (_, method, arguments) -> {
                if (method.getName().equals("register")) {
                    restore = (BatchingStateRestoreCallback) arguments[1];
                    return null;
                }
                try {
                    return method.invoke(context, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
    }

    private static Bytes key(SplittableRandom random) {
        byte[] key = new byte[1 + random.nextInt(3)];
        for (int i = 0; i < key.length; i++) {
            key[i] = EDGES[random.nextInt(EDGES.length)][0];
        }
        return Bytes.wrap(key);
    }

    private static Bytes bytes(int... values) {
        byte[] result = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            result[i] = (byte) values[i];
        }
        return Bytes.wrap(result);
    }

    private static String text(KeyValueIterator<Bytes, byte[]> entries) {
        return text(entries, new byte[0]);
    }

    /** Leaves out keys without a prefix: Kafka's stores also show key 80 behind all keys with the prefix 7F FF. */
    private static String text(KeyValueIterator<Bytes, byte[]> entries, byte[] prefix) {
        List<String> all = new ArrayList<>();
        try (entries) {
            while (entries.hasNext()) {
                Bytes next = entries.peekNextKey();
                KeyValue<Bytes, byte[]> entry = entries.next();
                assertEquals(next, entry.key);
                byte[] key = entry.key.get();
                if (Arrays.equals(key, 0, Math.min(key.length, prefix.length), prefix, 0, prefix.length)) {
                    all.add(entry.key + "=" + Arrays.toString(entry.value));
                }
            }
        }
        return all.toString();
    }

    private static String step(KeyValueStore<Bytes, byte[]> store, SplittableRandom random) {
        Bytes key = key(random);
        Bytes other = key(random);
        byte[] value = new byte[random.nextInt(40)];
        random.nextBytes(value);
        return switch (random.nextInt(12)) {
            case 0 -> "delete " + Arrays.toString(store.delete(key));
            case 1 -> "absent " + Arrays.toString(store.putIfAbsent(key, value));
            case 2 -> "range " + text(store.range(key, other));
            case 3 -> "reverse " + text(store.reverseRange(key, other));
            case 4 -> "prefix " + text(store.prefixScan(key.get(), new ByteArraySerializer()), key.get());
            case 5 -> "all " + text(store.all());
            case 6 -> "reverse all " + text(store.reverseAll());
            case 7 -> "from " + text(store.range(key, null)) + text(store.reverseRange(null, other));
            case 8 -> {
                store.put(key, null);
                yield "null";
            }
            case 9 -> {
                store.putAll(List.of(KeyValue.pair(key, value), KeyValue.pair(other, value)));
                yield "all of two";
            }
            default -> {
                store.put(key, value);
                yield "put " + Arrays.toString(store.get(key)) + Arrays.toString(store.get(other));
            }
        };
    }

    @Test
    void randomOperations_haveTheResultsOfRocksDb() {
        KeyValueStore<Bytes, byte[]> rocks = opened(Stores.persistentKeyValueStore(NAME), "rocks");
        try {
            SplittableRandom one = new SplittableRandom(SEED);
            SplittableRandom two = new SplittableRandom(SEED);
            for (int i = 0; i < STEPS; i++) {
                final int step = i;
                assertEquals(step(rocks, one), step(teff, two), () -> "step " + step + ", " + REPRODUCE);
            }
            assertEquals(text(rocks.all()), text(teff.all()));
        } finally {
            rocks.close();
        }
    }

    @Test
    void prefix_showsNoKeyWithoutThePrefix() {
        teff.put(bytes(0x7F, 0xFF, 1), new byte[1]);
        teff.put(bytes(0x80), new byte[2]);
        assertEquals("[" + bytes(0x7F, 0xFF, 1) + "=[0]]", text(teff.prefixScan(bytes(0x7F, 0xFF).get(),
            new ByteArraySerializer())));
    }

    @Test
    void prefixOfHighestBytes_endsAtTheEndOfTheStore() {
        teff.put(bytes(0xFE), new byte[1]);
        teff.put(bytes(0xFF, 0xFF), new byte[2]);
        teff.put(bytes(0xFF, 0xFF, 3), new byte[3]);
        String shown = text(teff.prefixScan(bytes(0xFF, 0xFF).get(), new ByteArraySerializer()));
        assertEquals("[" + bytes(0xFF, 0xFF) + "=[0, 0], " + bytes(0xFF, 0xFF, 3) + "=[0, 0, 0]]", shown);
    }

    @Test
    void changelog_restoresPutsAndRemovals() {
        teff.put(bytes(9), new byte[9]);
        restore.restoreAll(List.of(KeyValue.pair(new byte[] {1}, new byte[] {10}),
            KeyValue.pair(new byte[] {2}, new byte[] {20}), KeyValue.pair(new byte[] {1}, null)));
        assertNull(teff.get(bytes(1)));
        assertArrayEquals(new byte[] {20}, teff.get(bytes(2)));
        assertEquals(2, teff.approximateNumEntries());
    }

    @Test
    void committedEntries_areThereAfterReopening() {
        teff.put(bytes(1), new byte[] {10});
        teff.commit(Map.of());
        assertEquals(0, ((TeffStateStore) teff).health().pendingBytes(), "all is on the device");
        teff.close();
        assertFalse(teff.isOpen());
        teff = opened(TeffStores.keyValueStore(NAME), "teff");
        assertTrue(teff.isOpen());
        assertTrue(teff.persistent());
        assertArrayEquals(new byte[] {10}, teff.get(bytes(1)));
    }

    @Test
    void lastChanges_areNotInTheLogBeforeACommit_andAreAfterAClose() {
        teff.put(bytes(1), new byte[] {10});
        teff.commit(Map.of());
        teff.put(bytes(2), new byte[] {20});
        teff.delete(bytes(1));
        assertNull(teff.get(bytes(1)));
        assertArrayEquals(new byte[] {20}, teff.get(bytes(2)));
        assertEquals(0, ((TeffStateStore) teff).health().pendingBytes(), "the last changes are on the heap");
        teff.close();
        teff = opened(TeffStores.keyValueStore(NAME), "teff");
        assertNull(teff.get(bytes(1)));
        assertArrayEquals(new byte[] {20}, teff.get(bytes(2)));
    }

    @Test
    void smallRoomForChanges_movesThemToTheMap() {
        teff.close();
        teff = opened(TeffStores.keyValueStore(NAME, DurableConfig.builder().build(), 1000), "small");
        SplittableRandom random = new SplittableRandom(SEED);
        Map<Bytes, byte[]> model = new TreeMap<>();
        for (int i = 0; i < STEPS; i++) {
            Bytes key = Bytes.wrap(ByteBuffer.allocate(4).putInt(random.nextInt(500) * 0x9E37_79B9).array());
            byte[] value = new byte[] {(byte) i};
            boolean isRemoved = random.nextInt(4) == 0;
            teff.put(key, isRemoved ? null : value);
            model.compute(key, (_, _) -> isRemoved ? null : value);
            assertArrayEquals(model.get(key), teff.get(key));
        }
        model.forEach((key, value) -> assertArrayEquals(value, teff.get(key), REPRODUCE));
        assertEquals(model.size(), teff.approximateNumEntries());
    }

    /** The key that is read is behind all others, so it moves to the map last. */
    @Test
    void reader_neverSeesAnOlderValue_whileChangesMoveToTheMap() throws InterruptedException {
        teff.close();
        teff = opened(TeffStores.keyValueStore(NAME, DurableConfig.builder().build(), 6000), "read");
        Bytes key = bytes(0xFF);
        teff.put(key, new byte[Integer.BYTES]);
        AtomicBoolean isDone = new AtomicBoolean();
        Threads.Running reader = Threads.start("reader", _ -> {
            int before = 0;
            while (!isDone.get()) {
                int now = ByteBuffer.wrap(teff.get(key)).getInt();
                assertTrue(now >= before, "an older value");
                before = now;
            }
        });
        for (int i = 1; i < STEPS; i++) {
            teff.put(key, ByteBuffer.allocate(Integer.BYTES).putInt(i).array());
            for (int more = 0; more < 5; more++) {
                teff.put(bytes(2, i * 37, more, i >> 8), new byte[50]);
            }
        }
        isDone.set(true);
        reader.end();
        assertFalse(text(teff.range(key, key)).equals("[]"));
    }

    @Test
    @SuppressWarnings("unchecked")
    void changes_stayOnTheHeap_untilTheyAreInTheMap() {
        RecentChanges[] recent = new RecentChanges[1];
        List<Bytes> moved = new ArrayList<>();
        var map = (ChunkSortedMap<byte[], byte[]>) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {ChunkSortedMap.class}, (_, method, arguments) -> {
                if (method.getName().equals("putAll")) {
                    ((Map<byte[], byte[]>) arguments[0]).keySet().forEach(key -> moved.add(Bytes.wrap(key)));
                    moved.forEach(key -> assertNotNull(recent[0].find(key), "a reader would look into the map"));
                    return null;
                }
                assertNull(recent[0].find(Bytes.wrap((byte[]) arguments[0])).value());
                return true;
            });
        recent[0] = new RecentChanges(map, 1 << 20);
        recent[0].change(bytes(1), new byte[1]);
        recent[0].change(bytes(2), new byte[2]);
        recent[0].change(bytes(3), null);
        recent[0].flush();
        assertEquals(2, moved.size());
        assertNull(recent[0].find(bytes(1)));
    }

    @Test
    void longKeys_areRefused_andNothingIsPut() {
        assertThrows(IllegalArgumentException.class, () -> teff.put(Bytes.wrap(new byte[1025]), new byte[1]));
        teff.put(Bytes.wrap(new byte[1024]), new byte[1]);
        teff.delete(Bytes.wrap(new byte[1025]));
        assertEquals(1, teff.approximateNumEntries());
    }

    @Test
    void closedStore_throwsWhatKafkaExpects() {
        teff.close();
        assertThrows(InvalidStateStoreException.class, () -> teff.get(bytes(1)));
        assertThrows(InvalidStateStoreException.class, () -> teff.put(bytes(1), new byte[1]));
        assertThrows(InvalidStateStoreException.class, () -> teff.all());
    }

    @Test
    void missingKeysAndEnds_throwAsKafkaSays() {
        assertThrows(NullPointerException.class, () -> teff.get(null));
        assertThrows(NullPointerException.class, () -> teff.put(null, new byte[1]));
        assertThrows(NoSuchElementException.class, () -> teff.all().next());
        assertThrows(NoSuchElementException.class, () -> teff.all().peekNextKey());
    }

    @Test
    void queries_haveKeysRangesAndPositions() {
        mock.setRecordMetadata("topic", 0, 5);
        teff.put(bytes(1), new byte[] {10});
        teff.put(bytes(2), new byte[] {20});
        PositionBound reached = PositionBound.at(Position.emptyPosition().withComponent("topic", 0, 5));
        PositionBound later = PositionBound.at(Position.emptyPosition().withComponent("topic", 0, 6));
        assertArrayEquals(new byte[] {10}, query(KeyQuery.<Bytes, byte[]>withKey(bytes(1)), reached));
        assertEquals(text(teff.reverseAll()), text(query(RangeQuery.<Bytes, byte[]>withNoBounds().withDescendingKeys(),
            reached)));
        assertEquals(text(teff.range(bytes(2), null)), text(query(RangeQuery.withLowerBound(bytes(2)), reached)));
        var refused = teff.query(KeyQuery.<Bytes, byte[]>withKey(bytes(1)), later, new QueryConfig(false));
        assertEquals(FailureReason.NOT_UP_TO_BOUND, refused.getFailureReason());
        var unknown = teff.query(new Query<Object>() { }, reached, new QueryConfig(false));
        assertEquals(FailureReason.UNKNOWN_QUERY_TYPE, unknown.getFailureReason());
    }

    private <R> R query(Query<R> query, PositionBound bound) {
        return teff.query(query, bound, new QueryConfig(false)).getResult();
    }
}
