package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.test.kit.Project;
import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: each Flight Recorder event is recorded if the template enables it, and its values are correct. */
final class EventsTest {
    private static final Path TEMPLATE = Project.file("docs/teff.jfc");

    @TempDir
    private Path folder;

    @Test
    void everyEvent_isRecordedWithTheTemplate() throws IOException, ParseException, InterruptedException {
        Path file = folder.resolve("events.jfr");
        try (Recording recording = new Recording(Configuration.create(TEMPLATE))) {
            recording.enable("io.teff.StoreStatistics").with("period", "endChunk");
            recording.start();
            useStore();
            try (Store store = Store.open(StoreConfig.builder().name("events").memoryLimitBytes(64 << 20).build())) {
                store.create(7);
                recording.stop();
            }
            recording.dump(file);
        }
        Map<String, Integer> counts = new TreeMap<>();
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        events.forEach(event -> counts.merge(event.getEventType().getName(), 1, Integer::sum));
        for (String name : List.of("StoreOpen", "StoreClose", "RegionGrow", "LockWait", "Snapshot", "Trim", "Defrag",
            "StoreStatistics")) {
            assertTrue(counts.getOrDefault("io.teff." + name, 0) > 0, name + " is missing in " + counts);
        }
        RecordedEvent snapshot = find(events, "io.teff.Snapshot");
        assertEquals(1, snapshot.getLong("chunks"));
        assertEquals(100, snapshot.getLong("payloadBytes"));
        List<RecordedEvent> own = events.stream()              // a store that another test left has events, too
            .filter(event -> event.hasField("store") && event.getString("store").equals("events")).toList();
        assertEquals(7, find(own, "io.teff.StoreStatistics").getLong("payloadBytes"));
        RecordedEvent wait = find(events, "io.teff.LockWait");
        assertTrue(wait.getBoolean("timedOut") && !wait.getBoolean("exclusive"), wait::toString);
    }

    private static RecordedEvent find(List<RecordedEvent> events, String name) {
        return events.stream().filter(event -> event.getEventType().getName().equals(name)).findFirst().orElseThrow();
    }

    private void useStore() throws InterruptedException {
        StoreConfig config = StoreConfig.builder().memoryLimitBytes(64 << 20).lockTimeoutNs(5_000_000).build();
        try (Store store = Store.open(config)) {
            long cid = store.create(100);
            assertEquals(Status.OK, store.locks().lockWrite(cid, 0));
            int[] result = new int[1];
            Thread reader = new Thread(() -> result[0] = store.get(cid, new byte[100]));
            reader.start();
            reader.join();
            assertEquals(Status.LOCKED, result[0]);
            assertEquals(Status.OK, store.locks().unlock(cid));
            store.snapshot(folder.resolve("events.teff"));
            store.trim();
            store.defragment();
        }
    }
}
