package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.DebugLevel;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.error.Status;
import io.teff.engine.os.Platform;
import io.teff.engine.report.AuditReport;
import io.teff.engine.report.SnapshotInfo;
import io.teff.engine.report.StoreStats;
import io.teff.engine.view.ChunkEditor;
import io.teff.engine.view.ChunkView;
import io.teff.test.kit.Content;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: under any mix of threads, a chunk's content is always one that was written as a whole, no CID is issued twice,
 * no status is impossible, and all invariants hold at every moment.
 *
 * <p>Method: four threads do a fixed number of random operations on few shared keys in few stripes. Each content proves
 * itself ({@link Content}). A fifth thread audits, trims and snapshots the whole time, a sixth one defragments.
 */
@Tag("modes")
@Tag("heavy")
final class ConcurrentTortureTest {
    private static final int THREADS = 4;
    private static final int OPERATIONS = Form.size("teff.torture.operations", 25_000, 75_000, 150_000);
    private static final int KEYS = 64;
    private static final int LENGTH_MAX = 100_000;

    private final AtomicLongArray keys = new AtomicLongArray(KEYS);

    @ParameterizedTest
    @EnumSource(value = DebugLevel.class, names = {"OFF", "CANARIES", "QUARANTINE"})
    void mixedOperations_everyContentIsWhole(DebugLevel level) throws InterruptedException {
        long seed = Seed.first();
        MemoryDisk disk = new MemoryDisk();
        StoreConfig.Builder config = TestConfig.stripes(StoreConfig.builder().memoryLimitBytes(64 << 20), 64);
        TestConfig.defragSlackBytes(TestConfig.platform(config.debugLevel(level), Platform.SYSTEM.withDisk(disk)),
            0);
        try (Store store = Store.open(config.build())) {
            AtomicBoolean done = new AtomicBoolean();
            Threads.Running care = Threads.start("care", ignored -> care(store, disk, done));
            AtomicLong moved = new AtomicLong();
            Threads.Running defragmenter = Threads.start("defragmenter", ignored -> {
                while (!done.get()) {
                    moved.addAndGet(store.defragment().movedChunks());
                }
            });
            try {
                Threads.runAll(THREADS, number -> new Worker(store, seed + number).run(OPERATIONS));
            } finally {
                done.set(true);
                care.end();
                defragmenter.end();
            }
            finish(store);
            assertTrue(moved.get() > 0, "nothing was moved");
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(Seed.reproduce(ConcurrentTortureTest.class, seed), e);
        }
    }

    private static void care(Store store, MemoryDisk disk, AtomicBoolean done) {
        Path path = Path.of("torture.teff");
        for (int round = 0; !done.get(); round++) {
            store.audit();
            store.stats();
            store.locks().list();
            if (round % 8 == 0) {
                store.trim();
                store.ids().forEach(cid -> assertTrue(Cid.index(cid) > 0));
            }
            if (round % 16 == 0) {
                SnapshotInfo info = store.snapshot(path);
                try (Store copy = Store.restore(path, TestConfig.platform(TestConfig.stripes(StoreConfig.builder()
                    .memoryLimitBytes(128 << 20), 64), Platform.SYSTEM.withDisk(disk)).build())) {
                    assertEquals(info.chunks(), copy.audit().chunks());
                    byte[] buffer = new byte[LENGTH_MAX];
                    copy.ids().forEach(cid -> assertTrue(Content.isWhole(buffer, copy.get(cid, buffer))));
                }
            }
        }
    }

    /** Removes everything; no chunk or memory may be left. */
    private void finish(Store store) {
        store.audit();
        store.ids().forEach(cid -> assertTrue(store.remove(cid) >= 0, () -> Cid.toString(cid)));
        AuditReport report = store.audit();
        assertEquals(0, report.chunks());
        assertEquals(0, report.lockedChunks());
        assertEquals(0, store.stats().takenBytes());
        store.trim();
        StoreStats stats = store.stats();
        assertEquals(stats.tableBytes(), stats.usedBytes(), stats::toString);
    }

    /** One thread's operations. */
    private final class Worker {
        private final Store store;
        private final SplittableRandom random;
        private final long seed;
        private final byte[] buffer = new byte[LENGTH_MAX + 8];
        private long tags;

        Worker(Store store, long seed) {
            this.store = store;
            this.seed = seed;
            this.random = Seed.random(seed);
        }

        void run(int operations) {
            for (int i = 0; i < operations; i++) {
                operate(random.nextInt(KEYS), random.nextInt(100));
            }
        }

        private int length() {
            int draw = random.nextInt(1000);
            return Long.BYTES + (draw < 900 ? random.nextInt(200) : draw < 995 ? random.nextInt(5000)
                : random.nextInt(LENGTH_MAX - Long.BYTES));
        }

        private byte[] content(int length) {
            return Content.of(length, (seed << 32) + tags++);
        }

        private void operate(int key, int draw) {
            long cid = keys.get(key);
            if (cid == Cid.NONE || draw < 8) {
                replaceKey(key, cid);
            } else if (draw < 40) {
                whole(store.get(cid, buffer));
            } else if (draw < 60) {
                legal(store.put(cid, content(length())), Status.OK, Status.ABSENT, Status.PINNED, Status.FULL);
            } else if (draw < 66) {
                long size = store.size(cid);
                int status = size < 0 ? Status.ABSENT : store.put(cid, content((int) size));
                legal(status, Status.OK, Status.ABSENT, Status.PINNED, Status.FULL);
            } else if (draw < 72) {
                boolean[] isWhole = {true};
                long result = draw < 69 ? store.views().read(cid, view -> isWhole[0] = viewed(view))
                    : store.views().peek(cid, view -> isWhole[0] = viewed(view));
                legal(Math.min(result, 0), Status.OK, Status.ABSENT);
                assertTrue(result < 0 || isWhole[0], "a view of a mix");
            } else if (draw < 78) {
                legal(Math.min(store.views().edit(cid, this::rewrite), 0), Status.OK, Status.ABSENT);
            } else if (draw < 84) {
                locked(cid, draw < 81);
            } else if (draw < 88) {
                pinned(cid);
            } else if (draw < 92) {
                batch();
            } else if (draw < 95) {
                reserveAndCreate(key);
            } else {
                legal(Math.min(store.remove(cid), 0), Status.OK, Status.ABSENT, Status.PINNED);
            }
        }

        private boolean viewed(ChunkView view) {
            view.copyTo(0, buffer, 0, (int) view.length());
            return Content.isWhole(buffer, (int) view.length());
        }

        private void rewrite(ChunkEditor editor) {
            editor.copyFrom(content((int) editor.length()), 0, 0, (int) editor.length());
        }

        private void replaceKey(int key, long old) {
            byte[] content = content(length());
            long cid = random.nextBoolean() ? store.create(content)
                : store.create(MemorySegment.ofArray(content), 0, content.length);
            if (Status.isStatus(cid)) {
                legal(cid, Status.FULL);
            } else if (!keys.compareAndSet(key, old, cid)) {
                assertEquals(content.length, store.remove(cid));
            } else if (old != Cid.NONE) {
                legal(Math.min(store.remove(old), 0), Status.OK, Status.ABSENT, Status.PINNED);
            }
        }

        private void locked(long cid, boolean write) {
            int status = write ? store.locks().lockWrite(cid, Long.MAX_VALUE)
                : store.locks().lockRead(cid, Long.MAX_VALUE);
            legal(status, Status.OK, Status.ABSENT);
            if (status == Status.OK) {
                int first = store.get(cid, buffer);
                whole(first);
                long tag = Content.tag(buffer);
                whole(store.get(cid, buffer));
                assertEquals(tag, Content.tag(buffer), "changed under a lock");
                if (write) {
                    int put = store.put(cid, content(length()));
                    legal(put, Status.OK, Status.PINNED, Status.FULL);
                    legal(random.nextBoolean() ? store.locks().swapToRead(cid) : 0, Status.OK);
                    whole(store.get(cid, buffer));
                }
                legal(store.locks().unlock(cid), Status.OK);
            }
        }

        private void pinned(long cid) {
            try (Pin pin = store.pins().pin(cid)) {
                long length = pin.segment().byteSize();
                assertEquals(length, store.size(cid), "a pinned chunk changed its length");
                legal(store.remove(cid), Status.PINNED);
            } catch (NoSuchElementException e) {
                assertTrue(e.getMessage().contains("does not exist"), e.getMessage());
            }
        }

        private void batch() {
            int count = 1 + random.nextInt(20);
            long[] cids = new long[count];
            int[] lengths = new int[count];
            byte[] all = new byte[count * 64];
            for (int i = 0; i < count; i++) {
                lengths[i] = 64;
                System.arraycopy(content(64), 0, all, i * 64, 64);
            }
            int made = store.batch().create(MemorySegment.ofArray(all), lengths, cids, 0, random.nextBoolean());
            assertEquals((long) made * 64, store.batch().get(cids, 0, made, buffer, 0, new int[count]));
            for (int i = 0; i < made; i++) {
                assertEquals(0, Arrays.compare(all, i * 64, i * 64 + 64, buffer, i * 64, i * 64 + 64));
            }
            assertEquals(made, store.batch().remove(cids, 0, made, new long[count]));
        }

        private void reserveAndCreate(int key) {
            long[] cids = new long[3];
            if (store.ids().reserve(cids, 0, 3) != 3) {
                return;
            }
            legal(store.ids().unreserve(cids[0]), Status.OK);
            byte[] content = content(length());
            int status = store.ids().createAt(cids[1], content);
            legal(status, Status.OK, Status.FULL);
            legal(store.ids().unreserve(cids[2]), Status.OK);
            if (status == Status.OK) {
                assertEquals(content.length, store.remove(cids[1]), () -> "key " + key);
            } else {
                legal(store.ids().unreserve(cids[1]), Status.OK);
            }
        }

        private void whole(int length) {
            legal(Math.min(length, 0), Status.OK, Status.ABSENT);
            if (length > 0) {
                assertTrue(Content.isWhole(buffer, length), () -> "a mix of two contents, length=" + length);
            }
        }

        private static void legal(long status, int... allowed) {
            for (int one : allowed) {
                if (status == one) {
                    return;
                }
            }
            throw new AssertionError("status " + status + " " + Status.name(status));
        }
    }
}
