package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FaultDisk.Call;
import io.teff.recovery.disk.FaultDisk.Fault;
import io.teff.test.kit.Project;
import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Goal: each event of the log is recorded when it is enabled by the template; statistics agree with the events. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class DurableEventsTest {
    private static final Path TEMPLATE = Project.file("docs/teff.jfc");

    @TempDir
    private Path temporary;

    private static DurableConfig.Builder config() {
        return DurableConfig.builder().store(StoreConfig.builder().memoryLimitBytes(256 << 20).build())
            .writeBufferBytes(1 << 23).segmentBytes(1 << 21);
    }

    @Test
    void everyEvent_isRecordedWithTheTemplate() throws IOException, ParseException {
        Path file = temporary.resolve("events.jfr");
        DurableStats stats;
        try (Recording recording = new Recording(Configuration.create(TEMPLATE))) {
            recording.start();
            stats = cleanSomething();
            leaveFiles();
            failOnce();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertEquals(0, find(events, "LogRestore").getFirst().getLong("entries"));
        assertTrue(find(events, "LogSync").stream().anyMatch(event -> event.getLong("waiting") == 1));
        assertTrue(find(events, "LogSync").stream().mapToLong(event -> event.getLong("bytes")).sum()
            >= stats.loggedBytes());
        List<RecordedEvent> cleaned = find(events, "ZoneClean");
        assertTrue(cleaned.stream().mapToLong(event -> event.getLong("freedBytes")).sum() >= stats.freedBytes());
        RecordedEvent leftover = find(events, "LogLeftover").getFirst();
        assertTrue(leftover.getString("file").contains("segments") && leftover.getString("message").contains("planned"),
            leftover::toString);
        RecordedEvent failure = find(events, "LogFailure").getFirst();
        assertTrue(!failure.getBoolean("full") && !failure.getString("message").isEmpty(), failure::toString);
    }

    private static List<RecordedEvent> find(List<RecordedEvent> events, String name) {
        List<RecordedEvent> found = events.stream()
            .filter(event -> event.getEventType().getName().equals("io.teff." + name)).toList();
        assertTrue(!found.isEmpty(), name + " is missing");
        return found;
    }

    private DurableStats cleanSomething() {
        return cleanSomething(DurableStore.open(temporary.resolve("data"), config().build()));
    }

    /** Outdated segments cannot be deleted, and everything else continues. */
    private static void leaveFiles() {
        FaultDisk disk = new FaultDisk();
        disk.failFrom(Call.DELETE, 0, Fault.BROKEN);
        cleanSomething(DurableStore.open(FaultDisk.ROOT.resolve("data"),
            config().platform(Platform.SYSTEM.withDisk(disk)).build()));
    }

    private static DurableStats cleanSomething(DurableStore opened) {
        try (DurableStore durable = opened) {
            long cid = durable.store().create(new byte[50_000]);
            while (durable.stats().cleanings() == 0) {
                for (int i = 0; i < 100; i++) {
                    durable.store().put(cid, new byte[50_000]);
                }
                durable.sync();
            }
            DurableStats stats = durable.stats();
            assertTrue(stats.frames() > 0 || stats.segments() > 0, stats::toString);
            assertTrue(stats.loggedBytes() > 100 * 50_000 && stats.health().pendingBytes() == 0, stats::toString);
            assertTrue(stats.freedBytes() > 0 && stats.copiedBytes() >= 0 && stats.zones() == 1, stats::toString);
            return stats;
        }
    }

    private static void failOnce() {
        FaultDisk disk = new FaultDisk();
        DurableStore durable = DurableStore.open(FaultDisk.ROOT.resolve("data"),
            config().platform(Platform.SYSTEM.withDisk(disk)).build());
        long cid = durable.store().create(new byte[100]);
        durable.sync();
        disk.fail(Call.WRITE, 0, Fault.BROKEN);
        durable.store().create(new byte[100]);
        assertThrows(StoreException.class, durable::sync);
        assertThrows(StoreException.class, () -> durable.store().create(new byte[100]));
        assertEquals(100, durable.store().get(cid, new byte[100]), "reads go on");
        assertThrows(StoreException.class, durable::close);
    }

    /** If damage cannot be given up because the disk fails at that moment, the refilled store is closed. */
    @Test
    void openingThatFailsAtItsEnd_leavesNoStore() throws IOException {
        FaultDisk disk = new FaultDisk();
        Path folder = FaultDisk.ROOT.resolve("data");
        DurableStore.open(folder, config().platform(Platform.SYSTEM.withDisk(disk)).build()).close();
        try (DiskFile file = disk.create(folder.resolve("manifest-99"), 10)) {
            file.force();
        }
        disk.fail(Call.RENAME, 3, Fault.BROKEN);                // the first ones are those of the recovery
        Path file = temporary.resolve("events.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("io.teff.StoreOpen");
            recording.enable("io.teff.StoreClose");
            recording.start();
            assertThrows(StoreException.class,
                () -> DurableStore.open(folder, config().platform(Platform.SYSTEM
                    .withDisk(disk)).acceptDamage(true).build()));
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertEquals(find(events, "StoreOpen").size(), find(events, "StoreClose").size());
        DurableStore.open(folder, config().platform(Platform.SYSTEM.withDisk(disk)).acceptDamage(true).build()).close();
    }
}
