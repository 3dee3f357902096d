package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import io.teff.test.kit.Form;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: the content of a store fits into the same memory when the store is opened again, although the log has more
 * entries; if it does not fit, the opening fails with that reason, and nothing is lost.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ShortMemoryTest {
    private static final int SEEDS = Form.size(1, 4, 4);
    private static final Path FOLDER = FaultDisk.ROOT.resolve("data");
    private static final long LIMIT_BYTES = 32 << 20;
    private static final int LONG_BYTES = 17 << 20;
    private static final int SEGMENT_BYTES = 8 << 20;
    private static final int SMALL_BYTES = 100_000;
    private static final int SMALL_CHUNKS = 40;

    private static DurableStore open(FaultDisk disk, long limitBytes, RestoreProgress progress) {
        return DurableStore.open(FOLDER, DurableConfig.builder().store(StoreConfig.builder().nid(3)
            .memoryLimitBytes(limitBytes).build()).writeBufferBytes(1 << 23).segmentBytes(SEGMENT_BYTES)
            .progress(progress).platform(Platform.SYSTEM.withDisk(disk)).build());
    }

    private static DurableStore open(FaultDisk disk) {
        return open(disk, LIMIT_BYTES, RestoreProgress.NONE);
    }

    private static byte[] content(long seed, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    private static void check(DurableStore durable, Map<Long, byte[]> expected) {
        assertTrue(durable.damage().isEmpty());
        assertEquals(expected.size(), durable.store().stats().chunks());
        expected.forEach((cid, bytes) ->
            assertArrayEquals(bytes, durable.store().chunks().get(cid).orElseThrow()));
        durable.store().audit();
    }

    /** After a clean close, and after a kill. */
    @Test
    void longChunk_thatWasReplaced_isOpenedWhereOneVersionFits() {
        FaultDisk disk = new FaultDisk();
        Map<Long, byte[]> expected = new HashMap<>();
        try (DurableStore durable = open(disk)) {
            long cid = durable.store().create(content(1, LONG_BYTES));
            expected.put(cid, content(2, LONG_BYTES));
            for (int i = 0; i < SMALL_CHUNKS; i++) {
                byte[] bytes = content(i, SMALL_BYTES);
                expected.put(durable.store().create(bytes), bytes);
            }
            assertEquals(Status.OK, durable.store().put(cid, expected.get(cid)));
            try (DurableStore again = open(disk.killed())) {
                check(again, expected);
            }
        }
        AtomicLong done = new AtomicLong();
        AtomicLong total = new AtomicLong();
        try (DurableStore again = open(disk, LIMIT_BYTES, (doneBytes, totalBytes, _, _) -> {
            done.set(doneBytes);
            total.set(totalBytes);
        })) {
            check(again, expected);
            assertTrue(done.get() <= total.get(), done + " of " + total);
        }
    }

    /** Chunks of other lengths replace earlier ones repeatedly, so the order in the log is not that in memory. */
    @Test
    void fullStore_isOpenedWithTheMemoryItHad() {
        for (int seed = 0; seed < SEEDS; seed++) {
            FaultDisk disk = new FaultDisk();
            SplittableRandom random = new SplittableRandom(seed);
            Map<Long, byte[]> expected = new HashMap<>();
            try (DurableStore durable = open(disk)) {
                for (int round = 0; round < 4; round++) {
                    int length = 200 << random.nextInt(12);
                    boolean isFull = false;
                    for (long used = 0; used < LIMIT_BYTES / 2 && !isFull; used += length) {
                        byte[] bytes = content(random.nextLong(), length);
                        long cid = durable.store().create(bytes);
                        isFull = cid == Status.FULL;
                        if (!isFull) {
                            expected.put(cid, bytes);
                        }
                    }
                    if (round < 3) {
                        List<Long> gone = new ArrayList<>(expected.keySet());
                        gone.removeIf(_ -> random.nextInt(4) == 0);
                        gone.forEach(durable.store()::remove);
                        expected.keySet().removeAll(gone);
                    }
                }
            }
            try (DurableStore again = open(disk)) {
                check(again, expected);
            }
        }
    }

    @Test
    void memory_thatIsTooSmall_isNamedAndNothingIsLost() {
        FaultDisk disk = new FaultDisk();
        Map<Long, byte[]> expected = new HashMap<>();
        try (DurableStore durable = open(disk)) {
            for (int i = 0; i < 20; i++) {
                byte[] bytes = content(i, 1 << 20);
                expected.put(durable.store().create(bytes), bytes);
            }
        }
        StoreException e = assertThrows(StoreException.class, () -> open(disk, 12 << 20, RestoreProgress.NONE));
        assertEquals(Category.DEGRADED, e.category());
        assertEquals("the memory limit of 12582912 bytes is too small for the restored chunks: zone 3:0 does not fit",
            e.getMessage());
        try (DurableStore again = open(disk)) {
            check(again, expected);
        }
    }
}
