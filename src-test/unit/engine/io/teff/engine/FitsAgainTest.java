package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.engine.error.Status;
import io.teff.engine.memory.Memory;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: after everything has been removed, what fitted once fits again.
 *
 * <p>Method: a chunk of half the limit and more, created and removed in turn; and random creates, batches, resizes and
 * removes by several threads, also of a restored store, until the store is empty: then a chunk of nearly the limit must
 * fit, and a chunk that was emptied must grow to nearly the limit.
 */
@Tag("modes")
final class FitsAgainTest {
    private static final int LIMIT_MIB = 64;
    private static final long LIMIT_BYTES = (long) LIMIT_MIB << 20;
    /** Beside the chunk, the limit counts table pages, pages of the directory, and the rest of a unit. */
    private static final long BESIDE_BYTES = 200_000;
    private static final long LONGEST_BYTES = LIMIT_BYTES - BESIDE_BYTES;
    private static final int SEEDS = Form.size("teff.fits.seeds", 3, 20, 200);
    private static final int STEPS = 800;

    @TempDir
    private Path folder;

    /** Lengths whose last block has room for a table page, exactly none, and whole blocks. */
    @ParameterizedTest
    @ValueSource(longs = {LIMIT_BYTES / 2 - 5_000, LIMIT_BYTES / 2, LIMIT_BYTES * 5 / 8, LIMIT_BYTES * 5 / 8 + 50_000,
        LIMIT_BYTES - (8 << 20), LONGEST_BYTES})
    void removedChunk_fitsAgain(long length) {
        try (Store store = Stores.open(LIMIT_MIB)) {
            for (int i = 0; i < 4; i++) {
                long cid = store.create(length);
                assertTrue(cid > 0, () -> Status.name(cid) + " " + store.stats());
                assertEquals(length, store.remove(cid));
                store.audit();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 16 << 10, 4 << 20, LIMIT_BYTES / 2, LONGEST_BYTES})
    void emptiedChunk_growsToAnyLength(long first) {
        assumeTrue(Memory.RESERVED);
        try (Store store = Stores.open(LIMIT_MIB)) {
            long cid = store.create(first);
            for (long length : new long[] {LIMIT_BYTES / 2, LIMIT_BYTES * 6 / 8, LONGEST_BYTES, 5}) {
                assertEquals(Status.OK, store.resize(cid, 0));
                assertEquals(Status.OK, store.resize(cid, length), () -> length + " " + store.stats());
                store.audit();
            }
        }
    }

    /** A chunk that stays is beside the place of a longer successor. */
    @Test
    void longerSuccessor_fitsBesideAChunkThatStays() {
        assumeTrue(Memory.RESERVED);
        try (Store store = Stores.open(LIMIT_MIB)) {
            long large = store.create(LIMIT_BYTES / 2);
            store.create(new byte[1_000]);
            store.create(new byte[100_000]);
            store.remove(large);
            assertTrue(store.create(LIMIT_BYTES * 7 / 8) > 0, () -> store.stats().toString());
            store.audit();
        }
    }

    @Test
    void anyContent_removed_leavesRoomForAChunkOfNearlyTheLimit() throws InterruptedException {
        assumeTrue(Memory.RESERVED);
        long first = Seed.first();
        for (long seed = first; seed < first + SEEDS; seed++) {
            try {
                anyContent(seed);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(Seed.reproduce(FitsAgainTest.class, seed), e);
            }
        }
    }

    private void anyContent(long seed) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        Store store = Stores.open(LIMIT_MIB);
        try {
            for (int round = 0; round < 2; round++) {
                List<Long> cids = fill(store, random);
                store.audit();
                if (random.nextInt(3) == 0) {
                    Path file = folder.resolve(seed + "-" + round);
                    store.snapshot(file);
                    store.close();
                    store = Store.restore(file, Stores.small().memoryLimitBytes(LIMIT_BYTES).build());
                }
                empty(store, cids, random);
            }
        } finally {
            store.close();
        }
    }

    /** Fills the store by three threads; returns the chunks, in random order. */
    private static List<Long> fill(Store store, SplittableRandom random) throws InterruptedException {
        int lengthBits = random.nextInt(1, 24);
        int batchMax = random.nextInt(2, 3_000);
        List<List<Long>> made = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            SplittableRandom own = random.split();
            List<Long> cids = new ArrayList<>();
            made.add(cids);
            threads.add(Thread.ofPlatform().start(() -> change(store, cids, own, lengthBits, batchMax)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        List<Long> all = new ArrayList<>();
        made.forEach(all::addAll);
        for (int i = all.size() - 1; i > 0; i--) {
            all.set(i, all.set(random.nextInt(i + 1), all.get(i)));
        }
        return all;
    }

    private static void change(Store store, List<Long> cids, SplittableRandom random, int lengthBits, int batchMax) {
        for (int step = 0; step < STEPS; step++) {
            long length = random.nextLong(1L << random.nextInt(lengthBits + 1));
            switch (random.nextInt(8)) {
                case 0, 1 -> remove(store, cids, random);
                case 2 -> resize(store, cids, random, length);
                case 3 -> {
                    long[] batch = new long[random.nextInt(1, batchMax)];
                    int count = store.batch().create(length % 300, batch, 0, batch.length, random.nextBoolean());
                    Arrays.stream(batch, 0, count).forEach(cids::add);
                }
                default -> {
                    long cid = store.create(length);
                    if (cid > 0) {
                        cids.add(cid);
                    }
                }
            }
        }
    }

    private static void remove(Store store, List<Long> cids, SplittableRandom random) {
        if (!cids.isEmpty()) {
            int at = random.nextInt(cids.size());
            assertTrue(store.remove(cids.set(at, cids.getLast())) >= 0);
            cids.removeLast();
        }
    }

    private static void resize(Store store, List<Long> cids, SplittableRandom random, long length) {
        if (!cids.isEmpty()) {
            store.resize(cids.get(random.nextInt(cids.size())), length);
        }
    }

    /** Removes all chunks but one, lets the last one grow, removes it, and creates a chunk of nearly the limit. */
    private static void empty(Store store, List<Long> cids, SplittableRandom random) {
        for (long cid : cids) {
            assertTrue(store.remove(cid) >= 0);
        }
        long length = LONGEST_BYTES - random.nextInt(100_000);
        long cid = store.create(length);
        assertTrue(cid > 0, () -> length + " " + store.stats());
        store.audit();
        assertEquals(Status.OK, store.resize(cid, 0));
        assertEquals(Status.OK, store.resize(cid, length), () -> store.stats().toString());
        assertEquals(length, store.remove(cid));
        assertEquals(0, store.audit().chunks());
        assertTrue(store.stats().committedBytes() <= LIMIT_BYTES, () -> store.stats().toString());
    }
}
