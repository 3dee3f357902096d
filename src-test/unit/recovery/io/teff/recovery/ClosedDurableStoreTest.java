package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreClosedException;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: each call on a durable store that was closed throws StoreClosedException, also while it is being closed.
 * Method: the calls of each part of the interface, for both ways to open; changes of threads beside a close.
 */
final class ClosedDurableStoreTest {
    private static final int ROUNDS = Form.size(5, 20, 20);

    @TempDir
    private Path temporary;

    private DurableStore open(Level level) {
        return DurableStore.open(temporary.resolve("data"), DurableConfig.builder()
            .store(StoreConfig.builder().memoryLimitBytes(64 << 20).build()).writeBufferBytes(1 << 23)
            .segmentBytes(1 << 21).level(level).build());
    }

    private static Map<String, Executable> changes(Store store, long cid) {
        Map<String, Executable> calls = new LinkedHashMap<>();
        byte[] bytes = new byte[20];
        calls.put("create", () -> store.create(bytes));
        calls.put("create long", () -> store.create(3_000_000L));
        calls.put("put", () -> store.put(cid, bytes));
        calls.put("putBytes", () -> store.putBytes(cid, 0, bytes, 0, 3));
        calls.put("resize", () -> store.resize(cid, 30));
        calls.put("remove", () -> store.remove(cid));
        calls.put("seal", () -> store.seal(cid));
        calls.put("reserve", () -> store.ids().reserve());
        calls.put("reserve many", () -> store.ids().reserve(new long[3], 0, 3));
        calls.put("reserve none", () -> store.ids().reserve(new long[3], 0, 0));
        calls.put("unreserve", () -> store.ids().unreserve(cid));
        calls.put("createAt", () -> store.ids().createAt(Cid.of(7, 7), bytes));
        calls.put("putLong", () -> store.fields().putLong(cid, 0, 7));
        calls.put("edit", () -> store.views().edit(cid, _ -> { }));
        calls.put("batch create", () -> store.batch().create(5, new long[2], 0, 2, false));
        calls.put("batch put", () -> store.batch().put(new long[]{cid}, 0, MemorySegment.ofArray(bytes), new int[]{20},
            new int[1]));
        calls.put("batch remove", () -> store.batch().remove(new long[]{cid}, 0, 1, new long[1]));
        calls.put("bind", () -> store.names().bind("name", cid));
        calls.put("drop", () -> store.names().drop("map"));
        return calls;
    }

    private static void addCollections(Store store, Map<String, Executable> calls) {
        ChunkMap<String, String> map = store.map("map", Codecs.STRING, Codecs.STRING);
        ChunkSortedMap<String, String> sorted = store.sortedMap("sorted", Codecs.STRING, Codecs.STRING);
        ChunkSet<String> set = store.set("set", Codecs.STRING);
        ChunkList<String> list = store.list("list", Codecs.STRING);
        ChunkQueue<String> queue = store.queue("queue", Codecs.STRING);
        list.add("a");
        calls.put("map.put", () -> map.put("a", "b"));
        calls.put("map.set", () -> map.set("a", "b"));
        calls.put("map.remove", () -> map.remove("a"));
        calls.put("map.clear", map::clear);
        calls.put("map.update", () -> map.update("a", _ -> { }));
        calls.put("map.removeIf", () -> map.values().removeIf(_ -> true));
        calls.put("sorted.put", () -> sorted.put("a", "b"));
        calls.put("sorted.clear", sorted::clear);
        calls.put("sorted.pollFirstEntry", sorted::pollFirstEntry);
        calls.put("set.add", () -> set.add("a"));
        calls.put("list.add", () -> list.add("a"));
        calls.put("list.set", () -> list.set(0, "a"));
        calls.put("list.remove", () -> list.remove("a"));
        calls.put("list.removeIf", () -> list.removeIf(_ -> true));
        calls.put("list.sort", () -> list.sort(null));
        calls.put("queue.add", () -> queue.add("a"));
        calls.put("queue.poll", queue::poll);
        calls.put("queue.skip", queue::skip);
        calls.put("queue.clear", queue::clear);
        calls.put("new map", () -> store.map("other", Codecs.STRING, Codecs.STRING));
    }

    private static void addCallsOf(DurableStore durable, Map<String, Executable> calls) {
        calls.put("sync", durable::sync);
        calls.put("checkpoint", durable::checkpoint);
        calls.put("stats", durable::stats);
        calls.put("audit", durable::audit);
        for (Level level : Level.values()) {
            calls.put("at " + level, () -> durable.at(level, () -> { }));
        }
    }

    @Test
    @SuppressWarnings("try")                                    // closed twice on purpose
    void eachCall_afterClose_throws() {
        for (Level level : Level.values()) {
            DurableStore durable = open(level);
            Map<String, Executable> calls = changes(durable.store(), durable.store().create(new byte[20]));
            addCollections(durable.store(), calls);
            addCallsOf(durable, calls);
            durable.close();
            calls.forEach((name, call) -> assertThrows(StoreClosedException.class, call, name));
            assertInstanceOf(StoreClosedException.class, assertThrows(CompletionException.class,
                () -> durable.syncAsync().toCompletableFuture().join()).getCause());
            assertEquals(DurableHealth.State.CLOSED, durable.health().state());
            durable.close();
        }
        try (ReadOnlyStore reader = DurableStore.openReadOnly(temporary.resolve("data"))) {
            Map<String, Executable> calls = changes(reader.store(), Cid.of(0, 1));
            reader.close();
            calls.forEach((name, call) -> assertThrows(StoreClosedException.class, call, "read-only " + name));
        }
    }

    /** A thread whose call meets the close gets the same exception as one that calls later. */
    @Test
    void changesBesideAClose_endOrThrow() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            DurableStore durable = open(Level.values()[round % Level.values().length]);
            ChunkMap<String, String> map = durable.store().map("map", Codecs.STRING, Codecs.STRING);
            AtomicBoolean isBegun = new AtomicBoolean();
            List<Threads.Running> threads = List.of(
                Threads.start("chunks", _ -> change(() -> durable.store().create(new byte[40]), isBegun)),
                Threads.start("maps", _ -> change(() -> map.merge("key", "v", (_, _) -> "w"), isBegun)),
                Threads.start("syncs", _ -> change(durable::sync, isBegun)));
            Threads.await("the first change", isBegun::get);
            durable.close();
            for (Threads.Running thread : threads) {
                thread.end();
            }
        }
    }

    private static void change(Runnable change, AtomicBoolean isBegun) {
        try {
            while (true) {
                change.run();
                isBegun.set(true);
            }
        } catch (StoreClosedException _) {
            isBegun.set(true);
        }
    }
}
