package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.Pin;
import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: a chunk of which the log has only some pieces counts as absent, for creations and for changes, and a later
 * chunk with its CID has none of its content.
 *
 * <p>Method: chunks longer than the ring. The disk is full from their begin on, so each change stops in the middle.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LongChunksTest {
    private static final Path FOLDER = FaultDisk.ROOT.resolve("data");
    private static final int LENGTH = 9_000_000;
    private static final int PUTS = Form.size(4, 12, 12);
    /** Changes that the gate interrupts; the other forms interrupt all. */
    private static final Set<String> FIRST = Set.of("put");
    private static final byte[] BEFORE = content(1, LENGTH);
    private static final byte[] AFTER = content(2, LENGTH);
    private static final byte[] LATER = content(3, LENGTH + 700_000);

    private long old;
    private long small;
    private long reserved;

    private static byte[] content(long seed, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    private static DurableStore open(FaultDisk disk) {
        return DurableStore.open(FOLDER, DurableConfig.builder().store(StoreConfig.builder().nid(3)
            .lockTimeoutNs(0).memoryLimitBytes(512 << 20).build()).writeBufferBytes(1 << 23).segmentBytes(1 << 21)
            .platform(Platform.SYSTEM.withDisk(disk)).build());
    }

    private static Map<Long, byte[]> map(Store store) {
        return store.longMap("map", Codecs.BYTES);
    }

    private static Queue<byte[]> queue(Store store) {
        return store.queue("queue", Codecs.BYTES);
    }

    private Map<String, Consumer<Store>> changes() {
        Map<String, Consumer<Store>> changes = new LinkedHashMap<>();
        changes.put("create", store -> store.create(AFTER));
        changes.put("createAt", store -> store.ids().createAt(reserved, AFTER));
        changes.put("foreign", store -> store.ids().createAt(Cid.of(9, 9), AFTER));
        changes.put("put", store -> store.put(old, AFTER));
        changes.put("longer", store -> store.put(old, LATER));
        changes.put("pin", store -> {
            try (Pin pin = store.pins().pin(old)) {
                pin.segment().copyFrom(MemorySegment.ofArray(AFTER));
            }
        });
        changes.put("map", store -> map(store).put(1L, AFTER));
        changes.put("queue", store -> queue(store).add(AFTER));
        return changes;
    }

    /** Returns the changes that this form interrupts. */
    private Map<String, Consumer<Store>> interrupted() {
        Map<String, Consumer<Store>> changes = changes();
        changes.keySet().removeIf(name -> !Form.isFull() && !FIRST.contains(name));
        return changes;
    }

    private void fill(Store store) {
        old = store.create(BEFORE);
        small = store.create(content(4, 100));
        reserved = store.ids().reserve();
        map(store).put(1L, BEFORE);
        queue(store).add(BEFORE);
    }

    private void checkBefore(Store store, String name) {
        assertArrayEquals(BEFORE, store.chunks().get(old).orElseThrow(), name);
        assertArrayEquals(content(4, 100), store.chunks().get(small).orElseThrow(), name);
        assertEquals(Status.ABSENT, store.get(reserved, new byte[1]), name);
        assertEquals(Status.ABSENT, store.get(Cid.of(9, 9), new byte[1]), name);
        assertEquals(1, map(store).size(), name);
        assertArrayEquals(BEFORE, map(store).get(1L), name);
        assertEquals(1, queue(store).size(), name);
        assertArrayEquals(BEFORE, queue(store).peek(), name);
        store.audit();
    }

    /** Checks the content after a process has died in the middle, and again after other chunks have got the CIDs. */
    private void checkCrash(FaultDisk left, String name) {
        long chunks;
        try (DurableStore durable = open(left)) {
            checkBefore(durable.store(), name);
            chunks = durable.store().stats().chunks();
            assertEquals(Status.OK, durable.store().ids().createAt(reserved, LATER), name);
            long next = durable.store().create(LATER);
            map(durable.store()).put(2L, LATER);
            try (DurableStore again = open(left.killed())) {
                assertArrayEquals(LATER, again.store().chunks().get(next).orElseThrow(), name);
                assertArrayEquals(LATER, again.store().chunks().get(reserved).orElseThrow(), name);
                assertArrayEquals(LATER, map(again.store()).get(2L), name);
                assertArrayEquals(BEFORE, again.store().chunks().get(old).orElseThrow(), name);
                assertTrue(again.store().stats().chunks() >= chunks + 3, name);
                again.store().audit();
            }
        }
    }

    /** Waits until a thread is blocked because the disk is full. */
    private static void awaitStuck(Thread thread, FaultDisk disk) {
        long writes = disk.calls(FaultDisk.Call.WRITE);
        Threads.await("a change that finds no room", () -> !thread.isAlive()
            || thread.getState() == Thread.State.WAITING && disk.calls(FaultDisk.Call.WRITE) >= writes + 3);
        assertTrue(thread.isAlive());
    }

    /** Returns a disk with a store that was closed. */
    private FaultDisk begin() {
        FaultDisk disk = new FaultDisk();
        try (DurableStore durable = open(disk)) {
            fill(durable.store());
        }
        return disk;
    }

    private static FutureTask<Boolean> start(DurableStore durable, FaultDisk disk, Consumer<Store> change) {
        disk.failFrom(FaultDisk.Call.WRITE, 0, FaultDisk.Fault.FULL);
        FutureTask<Boolean> task = new FutureTask<>(() -> change.accept(durable.store()), true);
        awaitStuck(Thread.ofPlatform().start(task), disk);
        return task;
    }

    @Test
    void crashInTheMiddle_leavesWhatWasThere() throws Exception {
        FaultDisk begin = begin();
        for (Map.Entry<String, Consumer<Store>> change : interrupted().entrySet()) {
            FaultDisk disk = begin.killed();
            try (DurableStore durable = open(disk)) {
                FutureTask<Boolean> task = start(durable, disk, change.getValue());
                checkCrash(disk.killed(), change.getKey());
                assertArrayEquals(content(4, 100), durable.store().chunks().get(small).orElseThrow());
                durable.store().audit();
                disk.heal();
                task.get();
                durable.store().audit();
            }
        }
    }

    @Test
    void closeInTheMiddle_leavesWhatWasThere() {
        FaultDisk begin = begin();
        for (Map.Entry<String, Consumer<Store>> change : interrupted().entrySet()) {
            FaultDisk disk = begin.killed();
            DurableStore durable = open(disk);
            FutureTask<Boolean> task = start(durable, disk, change.getValue());
            assertEquals(Category.RETRY, assertThrows(StoreException.class, durable::close).category());
            Throwable refused = assertThrows(ExecutionException.class, task::get).getCause();
            assertTrue(refused instanceof IllegalStateException
                || refused instanceof StoreException it && it.category() == Category.FATAL, refused::toString);
            disk.heal();
            try (DurableStore again = open(disk)) {
                checkBefore(again.store(), change.getKey());
            }
        }
    }

    /**
     * A device that fails once, at some of the writes of a change: the change is made or not, as reported to its
     * caller.
     */
    @Test
    @FullTier("11 s. crashInTheMiddle_leavesWhatWasThere ends a long change at a device that is stuck, and "
        + "opens what it has left.")
    void failureInTheMiddle_leavesWhatWasThereOrAll() throws Exception {
        FaultDisk begin = begin();
        for (String name : List.of("put", "map", "queue")) {
            int failed = 0;
            for (int write : new int[] {0, 3, 7}) {
                FaultDisk disk = begin.killed();
                boolean isDone = isDoneThough(disk, name, write);
                failed += isDone ? 0 : 1;
                disk.heal();
                try (DurableStore again = open(disk)) {
                    String text = name + " fails at write " + write;
                    boolean isAfter = isAfter(again.store(), name);
                    assertTrue(isAfter || !isDone, text);
                    if (isAfter) {
                        again.store().audit();
                    } else {
                        checkBefore(again.store(), text);
                    }
                }
            }
            assertTrue(failed > 0, name + " never fails");
        }
    }

    private boolean isDoneThough(FaultDisk disk, String name, int write) {
        DurableStore durable = open(disk);
        boolean isDone = true;
        disk.fail(FaultDisk.Call.WRITE, write, FaultDisk.Fault.BROKEN);
        try {
            changes().getOrDefault(name, _ -> { }).accept(durable.store());
        } catch (StoreException e) {
            assertEquals(Category.FATAL, e.category(), e::toString);
            isDone = false;
        }
        try {
            durable.close();
        } catch (StoreException e) {
            assertTrue(e.category() == Category.FATAL || e.category() == Category.RETRY, e::toString);
        }
        return isDone;
    }

    private boolean isAfter(Store store, String name) {
        return switch (name) {
            case "put" -> Arrays.equals(AFTER, store.chunks().get(old).orElseThrow());
            case "map" -> Arrays.equals(AFTER, map(store).get(1L));
            default -> queue(store).size() == 2 && Arrays.equals(BEFORE, queue(store).poll())
                && Arrays.equals(AFTER, queue(store).poll());
        };
    }

    /** Two threads put one chunk while others checkpoint and sync; each read returns one of the two versions. */
    @Test
    void chunk_thatTwoThreadsPut_isOneOfTheirs() throws Exception {
        FaultDisk disk = begin();
        try (DurableStore durable = open(disk)) {
            Store store = durable.store();
            assertEquals(Status.OK, store.put(old, AFTER));
            List<FutureTask<Boolean>> tasks = new ArrayList<>();
            AtomicInteger left = new AtomicInteger(2);
            for (byte[] bytes : List.of(AFTER, LATER)) {
                FutureTask<Boolean> task = new FutureTask<>(() -> {
                    for (int done = 0; done < PUTS;) {
                        int status = store.put(old, bytes);
                        assertTrue(status == Status.OK || status == Status.LOCKED, () -> Status.name(status));
                        done += status == Status.OK ? 1 : 0;
                    }
                    left.decrementAndGet();
                }, true);
                tasks.add(task);
                Thread.ofPlatform().start(task);
            }
            int looks = 0;
            while (left.get() > 0 && tasks.stream().noneMatch(FutureTask::isDone) || looks == 0) {
                if (looks++ % 2 == 0) {
                    durable.checkpoint();
                } else {
                    durable.sync();
                }
                try (DurableStore again = open(disk.killed())) {
                    byte[] found = again.store().chunks().get(old).orElseThrow();
                    assertTrue(Arrays.equals(AFTER, found) || Arrays.equals(LATER, found), "torn at look " + looks);
                    again.store().audit();
                }
            }
            for (FutureTask<Boolean> task : tasks) {
                task.get();
            }
        }
    }
}
