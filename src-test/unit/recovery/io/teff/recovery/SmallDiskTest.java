package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: with default sizes a store uses any disk from a stated size on, changes are accepted while its content has
 * room, and an opening says that a disk is too small and what to set.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SmallDiskTest {
    private static final Path FOLDER = FaultDisk.ROOT.resolve("data");
    private static final Path COPY = FaultDisk.ROOT.resolve("copy");
    private static final Pattern TAKES = Pattern.compile("the opening takes (up to )?([0-9]+)(?:[.][0-9])? MiB beside "
        + "the files of the log, and the disk has (.*?) free");
    private static final int MIB = 1 << 20;
    private static final int LEAST_MIB = 57;
    private static final int CHUNK_BYTES = 1000;
    private static final int CHANGES_PER_CHUNK = 12;
    /** What the smallest sizes take beside the content. */
    private static final int BESIDE_MIB = 48;

    private final FaultDisk disk = new FaultDisk();

    private DurableConfig.Builder config() {
        return DurableConfig.builder().store(StoreConfig.builder().nid(3).memoryLimitBytes(64 << 20).build())
            .platform(Platform.SYSTEM.withDisk(disk));
    }

    private static String messageOf(Runnable opening) {
        final StoreException refused = assertThrows(StoreException.class, opening::run);
        assertEquals(Category.DEGRADED, refused.category());
        return String.valueOf(refused.getMessage());
    }

    /** Changes chunks many times, which take a sixth of the room for them: the log is cleaned, and accepts them all. */
    static IntStream diskMebibytes() {
        return Form.isFull() ? IntStream.of(LEAST_MIB, 64, 120, 192) : IntStream.of(LEAST_MIB);
    }

    @ParameterizedTest
    @MethodSource("diskMebibytes")
    void defaultSizes_onASmallDisk_acceptChanges(int mib) {
        disk.limit((long) mib * MIB);
        final SplittableRandom random = new SplittableRandom(mib);
        final byte[] bytes = new byte[CHUNK_BYTES];
        final long[] cids = new long[(mib - BESIDE_MIB) * MIB / 6 / CHUNK_BYTES];
        try (DurableStore durable = DurableStore.open(FOLDER, config().build())) {
            for (int i = 0; i < cids.length; i++) {
                cids[i] = durable.store().create(bytes);
            }
            for (int i = 0; i < CHANGES_PER_CHUNK * cids.length; i++) {
                put(durable, cids[random.nextInt(cids.length)], bytes);
            }
            durable.sync();
            Threads.await("the reserve is whole again", () -> durable.health().state() == DurableHealth.State.WRITABLE);
            assertNull(durable.health().lastFailure());
            durable.audit();
        }
        try (DurableStore durable = DurableStore.open(FOLDER, config().build())) {
            assertEquals(cids.length, durable.store().stats().chunks());
            assertEquals(Status.OK, durable.store().put(cids[0], bytes));
        }
    }

    /** Changes a chunk. On a busy machine this is refused for moments, until cleaning has made room. */
    private static void put(DurableStore durable, long cid, byte[] bytes) {
        Threads.await("a change is accepted", () -> {
            try {
                assertEquals(Status.OK, durable.store().put(cid, bytes));
                return true;
            } catch (StoreException e) {
                assertEquals(Category.DEGRADED, e.category());
                return false;
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"57, 8", "223, 8", "226, 16", "450, 32", "2047, 32"})
    void writeBuffer_followsFromTheDisk(int mib, int bufferMib) {
        disk.limit((long) mib * MIB);
        try (DurableStore durable = DurableStore.open(FOLDER, config().build())) {
            assertEquals((long) bufferMib * MIB, durable.stats().bufferBytes());
        }
    }

    /** What the log itself has counts as its room, so the sizes stay as its content grows. */
    @Test
    void writeBuffer_ofAFullDisk_staysAsItWas() {
        disk.limit(460L * MIB);
        try (DurableStore durable = DurableStore.open(FOLDER, config().build())) {
            durable.store().create(new byte[CHUNK_BYTES]);
        }
        disk.fillUp(0);
        try (DurableStore durable = DurableStore.open(FOLDER, config().build())) {
            assertEquals(8L * MIB, durable.stats().bufferBytes(), "others have taken the rest");
        }
        disk.limit(460L * MIB);
        try (DurableStore durable = DurableStore.open(FOLDER, config().build())) {
            for (int i = 0; i < 40; i++) {
                durable.store().create(new byte[MIB]);
            }
            durable.sync();
        }
        try (DurableStore durable = DurableStore.open(FOLDER, config().build())) {
            assertEquals(32L * MIB, durable.stats().bufferBytes());
        }
    }

    @Test
    void opening_onADiskThatIsTooSmall_saysWhatToSet() {
        disk.limit((LEAST_MIB - 2L) * MIB);
        final String text = messageOf(() -> DurableStore.open(FOLDER, config().build()));
        assertTrue(text.contains("can have 55 MiB of its disk, and needs 56 MiB to accept changes"), text);
        try (DurableStore durable = DurableStore.open(FOLDER, config().reserve(false).build())) {
            assertTrue(durable.store().create(new byte[CHUNK_BYTES]) > 0);
        }
    }

    @Test
    void opening_withSizesThatAreTooLarge_saysWhatToSet() {
        disk.limit(120L * MIB);
        final String text = messageOf(() -> DurableStore.open(FOLDER, config().writeBufferBytes(32 * MIB).build()));
        assertTrue(text.contains("needs 224 MiB to accept changes, with a write buffer of 32 MiB and segments of 8 MiB:"
            + " make room, set writeBufferBytes and segmentBytes to less, to 8 and 2 MiB at least"), text);
        try (DurableStore durable = DurableStore.open(FOLDER, config().writeBufferBytes(8 * MIB)
            .segmentBytes(2 * MIB).build())) {
            assertTrue(durable.store().create(new byte[CHUNK_BYTES]) > 0);
        }
    }

    /** A store that exists opens in any case, so that something can be removed; its health has the reason. */
    @Test
    void opening_ofAStoreWithSizesThatAreTooLarge_says() {
        disk.limit(120L * MIB);
        final long cid;
        try (DurableStore durable = DurableStore.open(FOLDER, config().segmentBytes(8 * MIB).build())) {
            cid = durable.store().create(new byte[CHUNK_BYTES]);
        }
        try (DurableStore durable = DurableStore.open(FOLDER, config().writeBufferBytes(32 * MIB).build())) {
            assertEquals(DurableHealth.State.FULL, durable.health().state());
            final String why = String.valueOf(durable.health().lastFailure());
            assertTrue(why.contains("needs 224 MiB to accept changes"), why);
            assertThrows(StoreException.class, () -> durable.store().create(new byte[CHUNK_BYTES]));
            assertEquals(CHUNK_BYTES, durable.store().remove(cid));
        }
        try (DurableStore durable = DurableStore.open(FOLDER, config().build())) {
            assertEquals(DurableHealth.State.WRITABLE, durable.health().state());
        }
    }

    /** A backup on a full disk: the text says how much room an opening takes, and so much room is enough. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void opening_withoutRoomBesideTheLog_saysHowMuchItTakes(boolean isClosed) throws IOException {
        disk.limit(460L * MIB);
        final DurableConfig config = config().writeBufferBytes(8 * MIB).segmentBytes(2 * MIB).reserve(false).build();
        final Object gate = new Object();
        disk.beforeEachCall(() -> {
            synchronized (gate) {
                assertTrue(Thread.holdsLock(gate));     // the log's threads wait at their next call
            }
        });
        final long cid;
        FaultDisk full = disk;
        try (DurableStore durable = DurableStore.open(FOLDER, config)) {
            cid = durable.store().create(new byte[CHUNK_BYTES]);
            if (isClosed) {
                fill(durable, 20);
                durable.backup(COPY);
            } else {
                synchronized (gate) {
                    fill(durable, 8);                   // 4 MiB stay in the write buffer
                    full = disk.killed();
                }
            }
        }
        final Path folder = isClosed ? COPY : FOLDER;
        final String text = messageOfFull(folder, full);
        final Matcher form = TAKES.matcher(text);
        assertTrue(form.find(), text);
        assertEquals(isClosed, form.group(1) == null, text);
        assertEquals("1 MiB", form.group(3), text);
        full.limit(460L * MIB);
        full.fillUp((Long.parseLong(form.group(2)) + 1) * MIB);
        try (DurableStore durable = DurableStore.open(folder, onDisk(full))) {
            assertEquals(CHUNK_BYTES, durable.store().size(cid));
        }
    }

    private static void fill(DurableStore durable, int chunks) {
        for (int i = 0; i < chunks; i++) {
            durable.store().create(new byte[MIB / 2]);
        }
    }

    private DurableConfig onDisk(FaultDisk other) {
        return config().writeBufferBytes(8 * MIB).segmentBytes(2 * MIB).reserve(false)
            .platform(Platform.SYSTEM.withDisk(other)).build();
    }

    /** Returns the message of an opening with 1 MiB of room. */
    private String messageOfFull(Path folder, FaultDisk full) {
        full.fillUp(MIB);
        return messageOf(() -> DurableStore.open(folder, onDisk(full)));
    }

    @Test
    void checkpointAndBackup_onAFullDisk_sayHowMuchTheyTake() {
        disk.limit(460L * MIB);
        try (DurableStore durable = DurableStore.open(FOLDER, config().reserve(false).build())) {
            disk.fillUp(0);
            for (int i = 0; i < 8; i++) {
                durable.store().create(new byte[MIB / 2]);
            }
            for (String text : List.of(messageOf(durable::checkpoint), messageOf(() -> durable.backup(COPY)))) {
                assertTrue(text.contains("the latest changes take some 4"), text);
                assertTrue(text.contains("MiB, and the disk has 0 B free"), text);
            }
            disk.limit(460L * MIB);
        }
    }
}
