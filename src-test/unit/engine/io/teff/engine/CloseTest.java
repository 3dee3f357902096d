package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.DebugLevel;
import io.teff.engine.config.LockStep;
import io.teff.engine.error.StoreClosedException;
import io.teff.test.kit.Content;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Goal: after close every call throws {@link StoreClosedException}; a concurrent call ends normally or with an
 * {@link IllegalStateException}; the process never crashes.
 *
 * <p>Method: every operation on a closed store; many rounds in which a store is closed under readers, writers, lockers
 * and views.
 */
@Tag("modes")
@Tag("plain")
final class CloseTest {
    private static final int ROUNDS = Form.size("teff.close.rounds", 30, 300, 300);

    @Test
    void everyOperation_afterClose_throws() {
        Store store = Stores.open();
        long cid = store.create(Content.of(100, 1));
        long large = store.create(Content.of(100_000, 1));
        CidCursor cursor = store.ids().cursor();
        Pin pin = store.pins().pin(store.create(8L));
        store.close();
        store.close();
        assertFalse(store.isOpen());
        assertEquals(64 << 20, store.config().memoryLimitBytes());
        byte[] buffer = new byte[100_000];
        MemorySegment segment = MemorySegment.ofArray(buffer);
        Map<String, Executable> calls = new LinkedHashMap<>();
        for (long one : new long[] {cid, large, Cid.of(0, 4000), Cid.of(5, 5), Cid.NONE}) {
            String name = Cid.toString(one) + " ";
            calls.put(name + "get", () -> store.get(one, buffer));
            calls.put(name + "get segment", () -> store.get(one, segment, 0));
            calls.put(name + "getBytes", () -> store.getBytes(one, 0, buffer, 0, 1));
            calls.put(name + "exists", () -> store.exists(one));
            calls.put(name + "size", () -> store.size(one));
            calls.put(name + "put", () -> store.put(one, new byte[3]));
            calls.put(name + "put large", () -> store.put(one, buffer));
            calls.put(name + "putBytes", () -> store.putBytes(one, 0, buffer, 0, 1));
            calls.put(name + "putBytes large", () -> store.putBytes(one, 0, buffer, 0, 100_000));
            calls.put(name + "resize", () -> store.resize(one, 7));
            calls.put(name + "resize large", () -> store.resize(one, 700_000));
            calls.put(name + "remove", () -> store.remove(one));
            calls.put(name + "seal", () -> store.seal(one));
            calls.put(name + "chunks.get", () -> store.chunks().get(one));
            calls.put(name + "chunks.put", () -> store.chunks().put(one, buffer));
            calls.put(name + "chunks.remove", () -> store.chunks().remove(one));
            calls.put(name + "chunks.resize", () -> store.chunks().resize(one, 5));
            calls.put(name + "getLong", () -> store.fields().getLong(one, 0, 0));
            calls.put(name + "putInt", () -> store.fields().putInt(one, 0, 0));
            calls.put(name + "compareAndSetLong", () -> store.fields().compareAndSetLong(one, 0, 0, 0));
            calls.put(name + "getAndAddInt", () -> store.fields().getAndAddInt(one, 0, 0));
            calls.put(name + "views.read", () -> store.views().read(one, view -> { }));
            calls.put(name + "views.peek", () -> store.views().peek(one, view -> { }));
            calls.put(name + "views.edit", () -> store.views().edit(one, view -> { }));
            calls.put(name + "lockRead", () -> store.locks().lockRead(one, 0));
            calls.put(name + "lockWrite", () -> store.locks().lockWrite(one, 0));
            calls.put(name + "unlock", () -> store.locks().unlock(one));
            calls.put(name + "swapToWrite", () -> store.locks().swapToWrite(one, 0));
            calls.put(name + "swapToRead", () -> store.locks().swapToRead(one));
            calls.put(name + "isWriteHeld", () -> store.locks().isWriteHeld(one));
            calls.put(name + "isReadHeld", () -> store.locks().isReadHeld(one));
            calls.put(name + "hold", () -> store.locks().hold(one, true, 0));
            calls.put(name + "locks.get", () -> store.locks().get(one, buffer, 0, LockStep.NONE, LockStep.NONE, 0));
            calls.put(name + "locks.put", () -> store.locks().put(one, buffer, 0, 8, LockStep.NONE, LockStep.NONE, 0));
            calls.put(name + "locks.remove", () -> store.locks().remove(one, 0));
            calls.put(name + "pin", () -> store.pins().pin(one));
            calls.put(name + "unpin", () -> store.pins().unpin(one));
            calls.put(name + "unreserve", () -> store.ids().unreserve(one));
        }
        wholeStore(store, buffer, calls);
        calls.put("cursor.next", cursor::next);
        calls.forEach((name, call) -> assertThrows(StoreClosedException.class, call, name));
        assertThrows(IllegalStateException.class, () -> pin.segment().fill((byte) 1));
    }

    private static void wholeStore(Store store, byte[] buffer, Map<String, Executable> calls) {
        long[] cids = {Cid.of(0, 1), Cid.of(0, 2)};
        calls.put("create", () -> store.create(new byte[3]));
        calls.put("create zeros", () -> store.create(0L));
        calls.put("create large", () -> store.create(buffer));
        calls.put("create segment", () -> store.create(MemorySegment.ofArray(buffer), 0, 5));
        calls.put("create read-only", () -> store.createReadOnly(buffer));
        calls.put("chunks.create", () -> store.chunks().create(buffer));
        calls.put("locks.create", () -> store.locks().create(buffer, 0, 5, true));
        calls.put("batch.create", () -> store.batch().create(5, new long[2], 0, 2, false));
        calls.put("batch.create range", () -> store.batch().create(5, new long[2], 0, 2, true));
        calls.put("batch.create many", () -> store.batch().create(null, new int[2], new long[2], 0, true));
        calls.put("batch.get", () -> store.batch().get(cids, 0, 2, buffer, 0, new int[2]));
        calls.put("batch.put", () -> store.batch().put(cids, 0, MemorySegment.ofArray(buffer), new int[2], new int[2]));
        calls.put("batch.remove", () -> store.batch().remove(cids, 0, 2, new long[2]));
        calls.put("batch.resize", () -> store.batch().resize(cids, 0, new long[2], new int[2]));
        calls.put("batch.size", () -> store.batch().size(cids, 0, 2, new long[2]));
        calls.put("batch.exists", () -> store.batch().exists(cids, 0, 2, new boolean[2]));
        calls.put("reserve", () -> store.ids().reserve());
        calls.put("reserve none", () -> store.ids().reserve(new long[2], 0, 0));
        calls.put("creators", () -> store.ids().creators());
        calls.put("highestIndex", () -> store.ids().highestIndex());
        calls.put("cursor foreign", () -> store.ids().cursor(3));
        calls.put("reserve many", () -> store.ids().reserve(new long[2], 0, 2));
        calls.put("createAt", () -> store.ids().createAt(Cid.of(0, 3000), buffer));
        calls.put("createAt foreign", () -> store.ids().createAt(Cid.of(3, 3000), 0));
        calls.put("cursor", () -> store.ids().cursor().next());
        calls.put("forEach", () -> store.ids().forEach(cid -> { }));
        calls.put("ranges", () -> store.ids().ranges());
        calls.put("locks.list", () -> store.locks().list());
        calls.put("pins.list", () -> store.pins().list());
        calls.put("stats", store::stats);
        calls.put("audit", store::audit);
        calls.put("trim", store::trim);
        calls.put("defragment", store::defragment);
        calls.put("snapshot", () -> store.snapshot(Path.of("target", "never.teff")));
    }

    @Test
    void close_underEverything_crashesNothing() throws InterruptedException {
        long seed = Seed.first();
        for (int round = 0; round < ROUNDS; round++) {
            int number = round;
            Store store = Store.open(Stores.small().debugLevel(DebugLevel.values()[round % 3]).build());
            long[] cids = new long[40];
            for (int i = 0; i < cids.length; i++) {
                cids[i] = store.create(Content.of(i % 8 == 7 ? 100_000 : 8 + i * 20, i));
            }
            AtomicInteger working = new AtomicInteger();
            try {
                Threads.runAll(4, part -> {
                    if (part == 0) {
                        Threads.await("workers", () -> working.get() >= 3);
                        store.close();
                        store.close();
                    } else {
                        work(store, cids, Seed.random(seed + 10L * number + part), working);
                    }
                });
            } catch (AssertionError e) {
                throw new AssertionError("round " + round + " " + Seed.reproduce(CloseTest.class, seed), e);
            }
        }
    }

    /** Works until the store is closed, which then may throw only an IllegalStateException. */
    private static void work(Store store, long[] cids, SplittableRandom random, AtomicInteger working) {
        byte[] buffer = new byte[100_000];
        try {
            for (int i = 0; ; i++) {
                long cid = cids[random.nextInt(cids.length)];
                switch (random.nextInt(9)) {
                    case 0, 1 -> assertTrue(Content.isWhole(buffer, Math.max(store.get(cid, buffer), 0)));
                    case 2 -> store.put(cid, Content.of(8 + random.nextInt(400), i));
                    case 3 -> store.views().read(cid, view -> view.copyTo(0, buffer, 0, (int) view.length()));
                    case 4 -> store.views().peek(cid, view -> view.copyTo(0, buffer, 0, (int) view.length()));
                    case 5 -> store.views().edit(cid, editor ->
                        editor.copyFrom(Content.of((int) editor.length(), 3), 0, 0,
                        (int) editor.length()));
                    case 6 -> {
                        if (store.locks().lockWrite(cid, 1_000_000) == 0) {
                            store.locks().unlock(cid);
                        }
                    }
                    case 7 -> store.remove(store.create(Content.of(random.nextInt(300), i)));
                    default -> {
                        try (Pin pin = store.pins().pin(cid)) {
                            assertTrue(pin.segment().byteSize() >= 8);
                        }
                    }
                }
                if (i == 20) {
                    working.incrementAndGet();
                }
            }
        } catch (IllegalStateException e) {
            assertTrue(Stores.space(store).isClosing(), e::toString);
        }
    }

    @Test
    void close_waitsForAView() throws InterruptedException {
        Store store = Stores.open();
        long cid = store.create(Content.of(1000, 5));
        CountDownLatch inside = new CountDownLatch(1);
        Threads.Running viewer = Threads.start("viewer", ignored -> store.views().edit(cid, editor -> {
            inside.countDown();
            Threads.await("the close", () -> Stores.space(store).isClosing());
            editor.putLong(992, 7);
            assertEquals(7, editor.getLong(992));
            assertTrue(store.isOpen());
        }));
        inside.await();
        store.close();
        viewer.end();
        assertFalse(store.isOpen());
    }

    @Test
    void close_wakesWhoWaitsForALock() throws InterruptedException {
        Store store = Stores.open();
        long cid = store.create(8L);
        store.locks().lockWrite(cid, 0);
        Threads.Running waiter = Threads.start("waiter", ignored ->
            assertThrows(StoreClosedException.class, () -> store.locks().lockRead(cid, Long.MAX_VALUE)));
        Threads.await("a waiter", () -> store.locks().list().getFirst().waiters() == 1);
        store.close();
        waiter.end();
    }
}
