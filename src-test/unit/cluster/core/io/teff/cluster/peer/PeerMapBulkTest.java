package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.operation.MapMode;
import io.teff.cluster.operation.OperationCalls;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.operation.ZoneHost.Verdict;
import io.teff.cluster.slot.Ticket;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.NamedRoot;
import io.teff.engine.Store;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.MapLoader;
import io.teff.engine.collect.ValueChange;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.raw.RawChange;
import io.teff.engine.raw.RawFunction;
import io.teff.engine.raw.RawMap;
import io.teff.engine.raw.RawMaps;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Operations of a cluster on many entries, functions at the owner, and names. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerMapBulkTest {
    private static final int PEERS = 2;
    private static final int ZONES = 4;
    private static final int ROUNDS = 24;
    private static final int KEYS = 400;
    /** More entries than a batch has. */
    private static final int MANY = 4_500;
    private static final int LONG_BYTES = 300_000;

    @TempDir
    private static Path folder;

    private static PeerCluster cluster;
    private static ClusterStore store;

    @BeforeAll
    static void start() throws IOException {
        cluster = new PeerCluster("bulk-test-" + System.nanoTime(), folder, 1);
        for (int i = 0; i < PEERS; i++) {
            cluster.start(i, Peer.start(cluster.config(i).withZones(ZONES, 1, 100_000_000L)));
        }
        cluster.awaitServed(PEERS * ZONES);
        store = cluster.connect();
    }

    @AfterAll
    static void close() throws IOException {
        store.close();
        cluster.close();
    }

    // ---- many entries ----

    private static Map<String, Long> entries(SplittableRandom random) {
        Map<String, Long> entries = new HashMap<>();
        for (int count = random.nextInt(KEYS / 2); count > 0; count--) {
            entries.put("key " + random.nextInt(KEYS), random.nextLong(50));
        }
        return entries;
    }

    /** Each operation on many entries has the result of the same operation of a map on the heap. */
    @Test
    void operationsOnManyEntries_haveTheResultsOfAMap() {
        long seed = Seed.first();
        SplittableRandom random = new SplittableRandom(seed);
        ChunkMap<String, Long> map = store.map("bulk", String.class, Long.class);
        Map<String, Long> model = new HashMap<>();
        for (int i = 0; i < ROUNDS; i++) {
            Map<String, Long> some = entries(random);
            String wrong = Seed.reproduce(PeerMapBulkTest.class, seed);
            switch (i % 8) {
                case 0, 2, 4 -> {
                    map.putAll(some);
                    model.putAll(some);
                }
                case 1 -> assertEquals(model.keySet().removeAll(some.keySet()), map.keySet().removeAll(some.keySet()),
                    wrong);
                case 3 -> assertEquals(model.values().removeIf(value -> value % 3 == 0),
                    map.values().removeIf(value -> value % 3 == 0), wrong);
                case 5 -> {
                    map.replaceAll((key, value) -> value + key.length());
                    model.replaceAll((key, value) -> value + key.length());
                }
                case 6 -> assertEquals(model.keySet().removeIf(key -> key.endsWith("7")),
                    map.keySet().removeIf(key -> key.endsWith("7")), wrong);
                default -> assertEquals(model.entrySet().retainAll(some.entrySet()) || some.isEmpty(),
                    map.entrySet().retainAll(some.entrySet()) || some.isEmpty(), wrong);
            }
            assertEquals(model.size(), map.size(), wrong);
            Set<String> wanted = some.keySet();
            Map<String, Long> expected = new HashMap<>(model);
            expected.keySet().retainAll(wanted);
            assertEquals(expected, map.getAll(wanted), wrong);
            assertEquals(model, map, wrong);
            assertEquals(model.keySet().containsAll(wanted), map.keySet().containsAll(wanted), wrong);
        }
        map.audit();
        map.clear();
        assertTrue(map.isEmpty());
        assertEquals(0, map.getAll(Set.of("key 1")).size());
        assertThrows(NullPointerException.class, () -> map.getAll(Arrays.asList("a", null)));
    }

    /** More entries than one batch has, values that fill an answer, and keys that are put twice. */
    @Test
    void manyEntries_areSplitIntoBatches() {
        ChunkMap<Long, byte[]> map = store.map("many", Codecs.LONG, Codecs.BYTES);
        try (MapLoader<Long, byte[]> loader = map.loader(MANY)) {
            for (int round = 0; round < 2; round++) {
                for (long key = 0; key < MANY; key++) {
                    loader.add(key, new byte[] {(byte) key, (byte) round});
                }
            }
        }
        assertEquals(MANY, map.longSize());
        Map<Long, byte[]> found = map.getAll(LongStream.range(-5, MANY).boxed().toList());
        assertEquals(MANY, found.size());
        found.forEach((key, value) -> assertArrayEquals(new byte[] {key.byteValue(), 1}, value));
        Map<Long, byte[]> large = new HashMap<>();
        for (long key = 0; key < 20; key++) {
            large.put(key, new byte[LONG_BYTES]);
        }
        map.putAll(large);
        assertEquals(20L * LONG_BYTES, map.getAll(large.keySet()).values().stream().mapToLong(it -> it.length).sum());
        assertEquals(MANY - 20, map.values().stream().filter(it -> it.length == 2).count());
        map.replaceAll((_, value) -> value.length == 2 ? value : new byte[LONG_BYTES + 1]);
        assertEquals(20, map.values().parallelStream().filter(it -> it.length == LONG_BYTES + 1).count());
        assertTrue(map.values().removeIf(value -> value.length > 2));
        assertEquals(MANY - 20, map.keySet().stream().mapToLong(it -> it).distinct().count());
        map.clear();
        assertTrue(map.isEmpty());
        assertThrows(IllegalArgumentException.class, () -> map.putAll(Map.of(1L, new byte[1_000_000])));
    }

    @Test
    void sets_andMapsOfNumbers_takeManyElements() {
        ChunkSet<String> set = store.set("bulk words", String.class);
        Set<String> words = LongStream.range(0, KEYS).mapToObj(it -> "word " + it).collect(Collectors.toSet());
        assertFalse(set.addAll(Set.of()));
        assertTrue(set.addAll(words) && !set.addAll(words) && set.containsAll(words));
        assertFalse(set.containsAll(Set.of("word 1", "none")));
        assertEquals(words, new HashSet<>(set));
        assertTrue(set.removeAll(List.of("word 1", "none")));
        assertFalse(set.removeAll(List.of("word 1", "none")));
        assertTrue(set.retainAll(List.of("word 2")));
        assertEquals(Set.of("word 2"), set);
        ChunkLongMap<byte[]> map = store.longMap("bulk numbers", Codecs.BYTES);
        for (int i = 0; i < 5; i++) {
            map.set((long) i, new byte[] {(byte) i, 1});
        }
        byte[] target = new byte[5];
        int[] lengths = new int[4];
        assertEquals(4, map.getAllBytes(new long[] {9, 3, 2, 77, 1}, 1, 4, target, 0, lengths));
        assertArrayEquals(new int[] {2, 2, Status.ABSENT, Status.TOO_SMALL}, lengths);
        assertArrayEquals(new byte[] {3, 1, 2, 1, 0}, target);
    }

    /** A read may have seen a change that no backup has; so may a change that has found nothing to do. */
    @Test
    void answers_ofBatches_leaveWithTheVerdictsOfTheHost() {
        int zone = cluster.rows().getFirst().zone();
        ZoneHost host = cluster.owner(zone).host();
        CompletableFuture<byte[]> opened = new CompletableFuture<>();
        OperationCalls.executeLong(host, OperationCalls.mapOpen(zone, "held"), opened::complete);
        long root = ByteBuffer.wrap(PeerCluster.get(opened)).order(ByteOrder.LITTLE_ENDIAN).getLong(8);
        int session = ((CommandReply.SessionOpened) cluster.reply(new Command.ClientOpen(77))).session();
        byte[] value = {1};
        List<byte[]> requests = List.of(
            OperationCalls.mapsChange(MapMode.SET, root, 9, value, session, Ticket.of(1, 0)),
            OperationCalls.mapsChange(MapMode.SET, root, 9, value, session, Ticket.of(1, 0)),
            OperationCalls.mapsChange(MapMode.PUT_IF_ABSENT, root, 5, value, session, Ticket.of(1, 1)),
            OperationCalls.mapsChange(MapMode.MODIFY, root, 9, RawFunction.of(ValueChange.append(value),
                Codecs.BYTES).toBytes(), session, Ticket.of(1, 2)), OperationCalls.mapsGet(root, 12));
        for (Verdict verdict : Verdict.values()) {
            for (byte[] request : requests) {
                HoldingHost holding = new HoldingHost(host);
                CompletableFuture<byte[]> answer = new CompletableFuture<>();
                OperationCalls.executeLong(holding, request, answer::complete);
                assertFalse(answer.isDone());
                assertFalse(holding.held.isEmpty());
                for (Consumer<Verdict> each : holding.held) {
                    assertFalse(answer.isDone());
                    each.accept(verdict);
                }
                assertEquals(verdict == Verdict.SERVED ? OperationFormat.DONE : OperationFormat.DEPOSED,
                    PeerCluster.get(answer)[OperationFormat.HEAD_BYTES]);
            }
        }
    }

    /** Keeps the callbacks of answers. */
    private static final class HoldingHost extends PlantedHost {
        private final List<Consumer<Verdict>> held = new ArrayList<>();

        HoldingHost(ZoneHost its) {
            super(its);
        }

        @Override
        public void afterReads(int zone, long[] cids, int from, int count, Consumer<Verdict> then) {
            held.add(then);
        }

        @Override
        public void afterReadOfAll(int zone, Consumer<Verdict> then) {
            held.add(then);
        }

        @Override
        public void afterChange(int zone, long number, WriteLevel level, Consumer<Verdict> then) {
            held.add(then);
        }
    }

    // ---- functions at the owner ----

    record Account(long version, int cents) {}

    private static void check(List<String> expected, ChunkStore of) {
        List<String> shown = new ArrayList<>();
        ChunkMap<String, Long> numbers = of.map("function numbers", String.class, Long.class);
        ChunkMap<String, byte[]> texts = of.map("function texts", String.class, byte[].class);
        Schema<Account> schema = Schema.of(Account.class);
        ChunkMap<String, Account> accounts = of.map("function accounts", Codecs.STRING, schema);
        for (ValueChange<Number> each : List.of(ValueChange.add(5), ValueChange.add(-7), ValueChange.min(-3),
            ValueChange.max(90), ValueChange.and(24), ValueChange.or(3), ValueChange.xor(2), ValueChange.set(4))) {
            shown.add(each + " " + numbers.apply("a", each) + " " + numbers.modify("b", each));
        }
        byte[] part = new byte[400];
        for (int i = 0; i < 4; i++) {                           // longer than a slot
            part[0] = (byte) i;
            shown.add(hash(texts.apply("a", ValueChange.append(part))) + " "
                + texts.modify("b", ValueChange.append(part)));
        }
        shown.add(numbers.modifyAll(List.of("a", "b", "c", "a"), ValueChange.add(1)) + " "
            + numbers.modifyAll(List.of("a", "d"), ValueChange.max(5)) + " " + new TreeMap<>(numbers));
        shown.add(hash(texts.get("a")) + " " + hash(texts.get("b")));
        int cents = schema.offset("cents");
        shown.add("" + accounts.apply("me", ValueChange.add(1).toInt(cents)));
        accounts.put("me", new Account(1, 40));
        shown.add("" + accounts.apply("me", ValueChange.add(2).toInt(cents)));
        shown.add("" + accounts.modify("me", ValueChange.putIfGreater(new Account(1, 0), schema.offset("version"))));
        shown.add("" + accounts.apply("me", ValueChange.putIfGreater(new Account(2, 0), schema.offset("version"))));
        assertThrows(IndexOutOfBoundsException.class, () -> accounts.apply("me", ValueChange.add(1).toLong(90)));
        assertThrows(IndexOutOfBoundsException.class,
            () -> accounts.modifyAll(List.of("me"), ValueChange.add(1).toLong(90)));
        shown.add("" + accounts.get("me"));
        if (expected.isEmpty()) {
            expected.addAll(shown);
        }
        assertEquals(expected, shown);
    }

    private static int hash(byte @Nullable [] bytes) {
        return Arrays.hashCode(bytes);
    }

    /** A function has the results of the function of a local map. */
    @Test
    void functions_haveTheResultsOfALocalMap() {
        List<String> expected = new ArrayList<>();
        try (Store local = Store.open()) {
            check(expected, local);
        }
        check(expected, store);
        assertFalse(expected.isEmpty());
    }

    @Test
    void append_beyondTheLimitOfAnEntry_isRefused_andChangesNothing() {
        ChunkMap<String, byte[]> map = store.map("limit", String.class, byte[].class);
        byte[] half = new byte[600_000];
        assertTrue(map.modify("a", ValueChange.append(half)));
        assertThrows(StoreException.class, () -> map.modify("a", ValueChange.append(half)));
        assertThrows(StoreException.class, () -> map.apply("a", ValueChange.append(half)));
        assertThrows(StoreException.class, () -> map.modifyAll(List.of("a"), ValueChange.append(half)));
        assertArrayEquals(half, map.get("a"));
        assertArrayEquals(half, map.apply("a", ValueChange.append(new byte[0])));
    }

    // ---- names and CIDs ----

    @Test
    void visit_showsEachChunkOnce() {
        Set<Long> cids = new HashSet<>();
        for (int i = 0; i < KEYS; i++) {
            cids.add(store.create(new byte[1]));
        }
        long gone = store.create(new byte[1]);
        store.remove(gone);
        Set<Long> shown = new HashSet<>();
        store.ids().forEach(cid -> assertTrue(shown.add(cid)));
        assertTrue(shown.containsAll(cids));
        assertFalse(shown.contains(gone));
    }

    /** Returns the names of partitions of a collection at all owners. */
    private static List<String> partitions(String name) {
        List<String> names = new ArrayList<>();
        for (ZoneRow row : cluster.rows()) {
            ChunkStore zone = cluster.owner(row.zone()).host().serving(row.zone());
            assertNotNull(zone);
            zone.names().all().keySet().stream().filter(it -> it.startsWith(name + " ")).forEach(names::add);
        }
        return names;
    }

    /** Marks the row of a collection, as a client does that ends in the middle of a drop. */
    private static void mark(String name) {
        ChunkStore zone = cluster.owner(1).host().serving(1);
        assertNotNull(zone);
        RawMaps maps = RawMaps.of(zone);
        RawMap directory = maps.at(zone.names().get("directory").orElseThrow().cid());
        assertNotNull(directory);
        Output key = Output.growing(64);
        key.putValue(Codecs.STRING, name);
        byte[][] row = new byte[1][];
        directory.read(key.toByteArray(), (bytes, length, _, _) -> row[0] = Arrays.copyOf(bytes, length));
        row[0][1] |= (byte) 0x80;
        directory.change(key.toByteArray(), new RawChange() {
            @Override
            public boolean mayAdd() {
                return true;
            }

            @Override
            public Step decide(byte[] bytes, int length, long bucket, long overflow) {
                return Step.PUT;
            }

            @Override
            public void write(Output out) {
                out.putBytes(row[0], 0, row[0].length);
            }

            @Override
            public void changed() {
                // the journal of the store has it
            }
        }, null);
    }

    @Test
    void drop_thatHasEndedInTheMiddle_isEndedByTheNextUseOfTheName() {
        ChunkMap<String, Long> map = store.map("half", String.class, Long.class);
        for (boolean isUsedAgain : new boolean[] {true, false}) {
            ChunkMap<String, Long> now = store.map("half", String.class, Long.class);
            now.putAll(Map.of("a", 1L, "b", 2L, "c", 3L));
            assertFalse(partitions("half").isEmpty());
            mark("half");
            assertTrue(store.names().get("half").isEmpty());
            assertFalse(store.names().all().containsKey("half"));
            if (isUsedAgain) {
                assertTrue(store.map("half", String.class, Long.class).isEmpty());
            } else {
                assertFalse(store.names().drop("half"));
                assertEquals(List.of(), partitions("half"));
            }
            assertThrows(IllegalStateException.class, () -> now.get("a"));
        }
        assertThrows(IllegalStateException.class, () -> map.put("d", 1L));
    }

    /** A client that knows the row opens partitions behind the drop: none of these stays. */
    @Test
    void partitions_thatAreOpenedBehindADrop_areDropped() {
        ChunkMap<Long, Long> early = store.map("late", Long.class, Long.class);
        ChunkMap<Long, Long> earlyToo = store.map("late", Long.class, Long.class);
        store.map("late", Long.class, Long.class).put(1L, 1L);
        assertTrue(store.names().drop("late"));
        assertThrows(IllegalStateException.class, () -> early.put(2L, 2L));
        assertThrows(IllegalStateException.class, () -> earlyToo.putAll(Map.of(3L, 3L, 4L, 4L)));
        assertThrows(IllegalStateException.class, earlyToo::longSize);
        assertEquals(List.of(), partitions("late"));
        store.map("late", Long.class, Long.class).put(2L, 3L);
        assertThrows(IllegalStateException.class, () -> early.put(2L, 2L), "another collection of the name");
        assertTrue(store.names().drop("late"));
        assertEquals(List.of(), partitions("late"));
    }

    /** Goal: changes and walks of several threads during a drop end with a result, or with the reason. */
    @Test
    void drop_whileOthersUseTheMap_endsTheirCalls() throws Exception {
        ChunkMap<Long, Long> map = store.map("used", Long.class, Long.class);
        map.putAll(LongStream.range(0, KEYS).boxed().collect(Collectors.toMap(it -> it, it -> it)));
        AtomicLong calls = new AtomicLong();
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<Future<Integer>> running = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int kind = i;
                running.add(threads.submit(() -> use(map, kind, calls)));
            }
            PeerCluster.await(() -> calls.get() > 20, () -> "calls " + calls);
            assertTrue(store.names().drop("used"));
            for (Future<Integer> each : running) {
                assertEquals(1, each.get(60, TimeUnit.SECONDS));
            }
        }
        assertEquals(List.of(), partitions("used"));
    }

    /** Uses a map until it was dropped; returns 1 then. */
    private static int use(ChunkMap<Long, Long> map, int kind, AtomicLong calls) {
        for (long round = 0; ; round++) {
            try {
                switch (kind) {
                    case 0 -> map.apply(round % KEYS, ValueChange.add(1));
                    case 1 -> map.putAll(Map.of(round % KEYS, 1L, (round + 9) % KEYS, 2L));
                    default -> map.forEach((key, value) -> assertTrue(key >= 0 && value >= 0));
                }
                calls.incrementAndGet();
            } catch (IllegalStateException e) {
                assertTrue(e.getMessage().contains("dropped"), e.toString());
                return 1;
            }
        }
    }

    @Test
    void names_areListed_andDropped() {
        ChunkMap<String, Long> map = store.map("dropped", String.class, Long.class);
        map.putAll(Map.of("a", 1L, "b", 2L));
        long cid = store.create(new byte[3]);
        store.names().bind("chunk", cid);
        assertEquals(cid, store.names().get("chunk").orElseThrow().cid());
        try (ClusterStore other = cluster.connect()) {
            ChunkMap<String, Long> known = other.map("dropped", String.class, Long.class);
            assertEquals(1, known.get("a"));
            NamedRoot root = other.names().all().get("dropped");
            assertEquals(NamedRoot.Kind.MAP, root.kind());
            assertEquals(Cid.NONE, root.cid());
            assertTrue(other.names().all().containsKey("chunk"));
            assertTrue(other.names().drop("dropped"));
            assertFalse(other.names().drop("dropped"));
            assertThrows(IllegalStateException.class, () -> known.get("a"));
        }
        assertThrows(IllegalStateException.class, () -> map.put("a", 3L));
        assertThrows(IllegalStateException.class, () -> map.putAll(Map.of("a", 3L)));
        assertThrows(IllegalStateException.class, () -> map.getAll(Set.of("a", "b", "c", "d", "e", "f")));
        assertThrows(IllegalStateException.class, map::longSize);
        assertThrows(IllegalStateException.class, () -> map.forEach((_, _) -> { }));
        assertTrue(store.names().get("dropped").isEmpty());
        ChunkMap<String, String> next = store.map("dropped", String.class, String.class);
        assertTrue(next.isEmpty());
        assertThrows(IllegalArgumentException.class, () -> store.names().bind("dropped", cid));
        assertTrue(store.names().drop("chunk"));
        assertTrue(store.exists(cid) && store.names().get("chunk").isEmpty());
    }
}
