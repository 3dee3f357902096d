package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.collect.CollectionName;
import io.teff.cluster.collect.ServedCollection;
import io.teff.cluster.collect.ServedMaps;
import io.teff.cluster.log.NodeLog;
import io.teff.engine.ChunkStore;
import io.teff.engine.NamedRoot;
import io.teff.engine.Store;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.zone.Zones;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A part that takes most of a zone is reported before the part fills the zone. */
class PartRoomTest {
    private static final int ZONE = 5;
    private static final long ZONE_BYTES = 1_000_000;
    private static final int VALUE_BYTES = 2_000;

    @TempDir
    private Path folder;

    private final ServedMaps maps = new ServedMaps();
    private final PartRoom rooms = new PartRoom(7, ZONE_BYTES, NodeLog.NONE);
    private int keys;

    private ServedCollection open(ChunkStore view, String name) {
        maps.enter();
        try {
            return maps.openCollection(view, new CollectionName(NamedRoot.Kind.SORTED_MAP, name, "bytes", "bytes", ""),
                1);
        } finally {
            maps.leave();
        }
    }

    @SuppressWarnings("unchecked")
    private static ChunkSortedMap<byte[], byte[]> content(ServedCollection of) {
        return (ChunkSortedMap<byte[], byte[]>) of.content().content();
    }

    private void fill(ServedCollection of, double share) {
        while (content(of).memoryBytes() < share * ZONE_BYTES) {
            content(of).set(new byte[] {(byte) (keys >>> Byte.SIZE), (byte) keys++}, new byte[VALUE_BYTES]);
        }
    }

    private List<String> look() {
        rooms.look(ZONE, maps);
        rooms.looked();
        return rooms.problems();
    }

    @Test
    void part_thatFillsItsZone_isReported_beforeTheZoneIsFull() throws IOException {
        Path file = folder.resolve("parts.jfr");
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(64 << 20).build());
             Recording recording = new Recording()) {
            recording.enable("io.teff.PartFills");
            recording.start();
            ChunkStore view = Zones.of(store).add(ZONE);
            ServedCollection large = open(view, "large 1/0");
            ServedCollection small = open(view, "small 2/0");
            fill(large, 0.75);
            fill(small, 0.1);
            assertEquals(List.of(), look());
            fill(large, 0.81);
            assertEquals(1, look().size());
            assertTrue(rooms.problems().getFirst().startsWith("part 'large 1/0' in zone 5 has "),
                rooms.problems()::toString);
            fill(large, 0.95);
            assertEquals(1, look().size(), "stays among the problems");
            fill(large, 1.01);
            assertEquals(1, look().size());
            content(large).clear();
            assertEquals(List.of(), look());
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("io.teff.PartFills")).toList();
        assertEquals(2, events.size(), "one for 80 %, one for 100 %");
        assertEquals("large 1/0", events.getFirst().getString("part"));
        assertEquals(ZONE, events.getFirst().getInt("zone"));
        assertTrue(events.getFirst().getLong("bytes") < ZONE_BYTES, events.getFirst()::toString);
        assertEquals(ZONE_BYTES, events.getFirst().getLong("zoneBytes"));
    }
}
