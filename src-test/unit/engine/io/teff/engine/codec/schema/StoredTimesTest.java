package io.teff.engine.codec.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.Store;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.PartialReader;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: times and zones come back as they were stored, whatever the rules of the zones have become. Method: a zone
 * whose rules change between writing and reading, and zones that are unknown when they are read.
 */
final class StoredTimesTest {
    private static final String TOWN = String.join("/", "Test", "Town");
    private static final LocalDateTime NOON = LocalDateTime.of(2027, 7, 1, 12, 0, 0, 123_456_789);

    private static volatile ZoneOffset townOffset = ZoneOffset.UTC;

    record Meeting(String title, ZonedDateTime when, ZoneId zone) {}

    record Untimed(String title) {}

    /** Rules of one zone, which change. */
    private static final class TownRules extends ZoneRulesProvider {
        @Override
        protected Set<String> provideZoneIds() {
            return Set.of(TOWN);
        }

        @Override
        protected ZoneRules provideRules(String zoneId, boolean forCaching) {
            return forCaching ? null : townOffset.getRules();
        }

        @Override
        protected NavigableMap<String, ZoneRules> provideVersions(String zoneId) {
            return new TreeMap<>(Map.of("1", townOffset.getRules()));
        }
    }

    @BeforeAll
    static void registerTown() {
        if (!ZoneId.getAvailableZoneIds().contains(TOWN)) {
            ZoneRulesProvider.registerProvider(new TownRules());
        }
    }

    @BeforeEach
    void useFirstRules() {
        townOffset = ZoneOffset.ofHours(1);
    }

    private static <T> byte[] bytes(Codec<T> codec, T value) {
        Output out = Output.growing(16);
        codec.write(value, out);
        return out.toByteArray();
    }

    private static <T> T read(Codec<T> codec, byte[] bytes) {
        T value = codec.read(new Input(bytes, 0, bytes.length));
        PartialReader<T> reader = Objects.requireNonNull(codec.partialReader(1000));
        for (byte one : bytes) {
            reader.read(new byte[] {one}, 0, 1);
        }
        assertEquals(value, reader.value());
        assertArrayEquals(bytes, bytes(codec, value));
        return value;
    }

    @ParameterizedTest
    @ValueSource(strings = {"+02:00", "-03:30", "+01:23:45", "Z"})
    void read_afterTheRulesChanged_isEqual(String offset) {
        Schema<Meeting> schema = Schema.of(Meeting.class);
        Meeting meeting = new Meeting("board", ZonedDateTime.of(NOON, ZoneId.of(TOWN)), ZoneId.of(TOWN));
        byte[] bytes = bytes(schema, meeting);
        townOffset = ZoneOffset.of(offset);
        assertEquals(meeting, read(schema, bytes));
        ZonedDateTime after = ZonedDateTime.of(NOON, ZoneId.of(TOWN));
        byte[] bytesAfter = bytes(schema, new Meeting("board", after, null));
        townOffset = ZoneOffset.ofHours(1);
        ZonedDateTime read = read(schema, bytesAfter).when();
        assertEquals(after, read);
        assertEquals(NOON, read.toLocalDateTime());
        assertEquals(ZoneOffset.of(offset), read.getOffset());
        assertEquals("board", Schema.of(Untimed.class).readerOf(schema.description()).read(
            new Input(bytesAfter, 0, bytesAfter.length)).title());
    }

    @Test
    void read_zoneThatIsUnknown_isEqual() {
        Schema<Meeting> schema = Schema.of(Meeting.class);
        Meeting meeting = new Meeting("board", ZonedDateTime.of(NOON, ZoneId.of(TOWN)), ZoneId.of(TOWN));
        byte[] bytes = new String(bytes(schema, meeting), StandardCharsets.ISO_8859_1).replace(TOWN, "Test/Gone")
            .getBytes(StandardCharsets.ISO_8859_1);
        Meeting read = read(schema, bytes);
        assertEquals("Test/Gone", read.zone().getId());
        assertEquals("2027-07-01T12:00:00.123456789+01:00[Test/Gone]", read.when().toString());
        assertEquals(meeting.when().toInstant(), read.when().toInstant());
        assertThrows(DateTimeException.class, () -> read.zone().getRules());
    }

    @Test
    void read_bytesThatAreNoTime_isMalformed() {
        Schema<Meeting> schema = Schema.of(Meeting.class);
        String bytes = new String(bytes(schema, new Meeting("", ZonedDateTime.of(NOON, ZoneId.of(TOWN)), null)),
            StandardCharsets.ISO_8859_1);
        for (String id : List.of("9est/Town", "Te t/Town", "UTC+99:00", "+01:00:01", "\0\0\0\0\0\0\0\0\0")) {
            byte[] changed = bytes.replace(TOWN, id).getBytes(StandardCharsets.ISO_8859_1);
            assertEquals(bytes.length(), changed.length);
            assertThrows(MalformedException.class, () -> schema.read(new Input(changed, 0, changed.length)), id);
        }
    }

    @Test
    void collections_afterTheRulesChanged_haveTheirEntries() {
        ZonedDateTime before = ZonedDateTime.of(NOON, ZoneId.of(TOWN));
        Meeting meeting = new Meeting("board", before, before.getZone());
        try (Store store = Store.open()) {
            Map<ZonedDateTime, Meeting> map = store.map("map", ZonedDateTime.class, Meeting.class);
            Set<ZonedDateTime> set = store.set("set", Codecs.of(ZonedDateTime.class));
            List<Meeting> list = store.list("list", Codecs.of(Meeting.class));
            map.put(before, meeting);
            set.add(before);
            list.add(meeting);
            townOffset = ZoneOffset.ofHours(2);
            ZonedDateTime key = map.keySet().iterator().next();
            assertEquals(before, key);
            assertEquals(meeting, map.get(key));
            assertEquals(Set.of(before), set);
            assertEquals(List.of(meeting), list);
            ZonedDateTime after = ZonedDateTime.of(NOON, ZoneId.of(TOWN));
            map.put(after, new Meeting("another", after, null));
            assertEquals(Set.of(before, after), map.keySet());
            assertEquals(meeting, map.remove(before));
            assertEquals(Set.of(after), map.keySet());
        }
    }
}
