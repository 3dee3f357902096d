package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: the folder of a store stays within a bound of its live bytes over any number of sessions, killed or closed,
 * short or long; the estimate of the live bytes is exact after each opening.
 */
@Tag("system")
@Timeout(value = 60, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SessionsTest {
    private static final Path FOLDER = FaultDisk.ROOT.resolve("data");
    private static final int SEGMENT_BYTES = 1 << 21;
    private static final int CHUNKS = 200;
    private static final int CHUNK_BYTES = 10_000;
    private static final int CYCLES = Form.size(10, 60, 10_000);
    private static final int SESSIONS = Form.size(5, 20, 200);
    /** The share below which writers wait. */
    private static final double URGENT = 0.4;

    private FaultDisk disk = new FaultDisk();

    private DurableStore open() {
        return DurableStore.open(FOLDER, DurableConfig.builder().store(StoreConfig.builder().nid(3)
            .memoryLimitBytes(64 << 20).build()).writeBufferBytes(1 << 23).segmentBytes(SEGMENT_BYTES)
            .platform(Platform.SYSTEM.withDisk(disk)).build());
    }

    /** Returns the sizes of all segments. */
    private List<Long> segments() throws IOException {
        final Path folder = FOLDER.resolve("segments");
        final List<Long> sizes = new ArrayList<>();
        for (String name : disk.list(folder)) {
            try (DiskFile file = disk.openToRead(folder.resolve(name))) {
                sizes.add(file.size());
            } catch (NoSuchFileException _) {
                // it was cleaned meanwhile
            }
        }
        return sizes;
    }

    private long bytes() throws IOException {
        return segments().stream().mapToLong(Long::longValue).sum();
    }

    private static void rewrite(Store store, List<Long> cids, SplittableRandom random, int count) {
        final byte[] bytes = new byte[CHUNK_BYTES];
        for (int i = 0; i < count; i++) {
            random.nextBytes(bytes);
            store.put(cids.get(random.nextInt(cids.size())), bytes);
        }
    }

    /** Rewrites a part of the content in each session, which ends before the next one opens a disk as it was left. */
    private void sessions(SplittableRandom random, boolean isKilled) throws IOException {
        final List<Long> cids = new ArrayList<>();
        try (DurableStore durable = open()) {
            for (int i = 0; i < CHUNKS; i++) {
                cids.add(durable.store().create(new byte[CHUNK_BYTES]));
            }
        }
        final int perSession = 2 * CHUNKS;
        final long live = (long) CHUNKS * CHUNK_BYTES;
        final long written = (long) perSession * CHUNK_BYTES;
        for (int session = 0; session < SESSIONS; session++) {
            try (DurableStore durable = open()) {
                durable.audit();
                final long before = bytes();
                assertTrue(before <= live / URGENT + 2 * SEGMENT_BYTES + 2 * written,
                    "session " + session + ", segments of " + before + " bytes");
                rewrite(durable.store(), cids, random, perSession);
                if (isKilled) {
                    disk = disk.killed();
                }
            }
        }
    }

    @Test
    @FullTier("5 s. killedSessions_keepTheFolderSmall has the same bound with more that is left behind.")
    void closedSessions_keepTheFolderSmall() throws IOException {
        sessions(new SplittableRandom(1), false);
    }

    @Test
    void killedSessions_keepTheFolderSmall() throws IOException {
        sessions(new SplittableRandom(2), true);
    }

    /** A large part of the log is outdated when the process is killed; later sessions write little. */
    @Test
    @FullTier("7 s. killedSessions_keepTheFolderSmall cleans what each killed session has left.")
    void oneKill_isCleanedUpByTheNextSessions() throws IOException {
        final List<Long> cids = new ArrayList<>();
        final SplittableRandom random = new SplittableRandom(3);
        try (DurableStore durable = open()) {
            for (int i = 0; i < CHUNKS; i++) {
                cids.add(durable.store().create(new byte[CHUNK_BYTES]));
            }
            rewrite(durable.store(), cids, random, 20 * CHUNKS);
            disk = disk.killed();
        }
        for (int session = 0; session < 3; session++) {
            try (DurableStore durable = open()) {
                durable.audit();
                rewrite(durable.store(), cids, random, 1);
            }
        }
        final long bytes = bytes();
        assertTrue(bytes <= (long) CHUNKS * CHUNK_BYTES / URGENT + 3 * SEGMENT_BYTES,
            "segments of " + bytes + " bytes");
    }

    /** The reserve has a fixed number of files. */
    private List<String> filesBesideTheReserve() throws IOException {
        return disk.list(FOLDER).stream().filter(name -> !name.startsWith("reserve-")).toList();
    }

    @Test
    void openChangeClose_keepsTheNumberOfFilesAndTheReadingOfAnOpening() throws IOException {
        long cid = 0;
        long entries = 0;
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            try (DurableStore durable = open()) {
                entries = Math.max(entries, durable.restoredEntries());
                if (cycle == 0) {
                    cid = durable.store().create(new byte[Long.BYTES]);
                } else {
                    durable.store().put(cid, new byte[] {1, 2, 3, 4, 5, 6, 7, (byte) cycle});
                }
            }
            assertTrue(segments().size() <= 5, "cycle " + cycle + ": " + segments());
            assertTrue(filesBesideTheReserve().size() <= 6, "cycle " + cycle + ": " + disk.list(FOLDER));
        }
        assertTrue(entries <= 5, "entries read by an opening: " + entries);
        try (DurableStore durable = open()) {
            final byte[] last = new byte[Long.BYTES];
            durable.store().get(cid, last);
            assertEquals((byte) (CYCLES - 1), last[Long.BYTES - 1]);
        }
    }
}
