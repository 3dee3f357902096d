package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.raw.RawChange;
import io.teff.engine.raw.RawMap;
import io.teff.engine.raw.RawMaps;
import io.teff.engine.raw.RawVisitor;
import io.teff.engine.zone.ZoneFill;
import io.teff.engine.zone.ZoneRecording;
import io.teff.engine.zone.Zones;
import io.teff.test.kit.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Maps of a zone as maps of bytes: what they hold, what the journal gets, and what a scan shows. */
class RawMapsTest {
    private static final int ZONE = 5;
    private static final int KEYS = 600;
    private static final int CHANGES = 2_000;
    private static final int RESTORES = 8;
    private static final int VALUE_BYTES_MAX = 700;
    private static final int RECORDS_MAX = 10_000;

    private final RecordingJournal journal = new RecordingJournal();
    private final Store store = JournaledStores.open(Store.class, Stores.small().build(), journal, _ -> { });
    private final ChunkStore zone = Zones.of(store).add(ZONE);
    private final RawMaps maps = RawMaps.of(zone);
    private final RawMap map = maps.open("orders", Codecs.STRING.describe(), Codecs.BYTES.describe(), -1);

    @AfterEach
    void close() {
        if (zone.isOpen()) {
            map.audit();
        }
        store.audit();
        store.close();
    }

    /** A change to a value, or a removal. */
    private class Change implements RawChange {
        private final byte @Nullable [] value;
        private byte @Nullable [] before;
        private int changes;
        private int records;

        Change(byte @Nullable [] value) {
            this.value = value;
        }

        @Override
        public boolean mayAdd() {
            return value != null;
        }

        @Override
        public Step decide(byte[] bytes, int length, long bucket, long overflow) {
            before = length < 0 ? null : Arrays.copyOf(bytes, length);
            return value == null ? Step.REMOVE : Step.PUT;
        }

        @Override
        public void write(Output out) {
            byte[] written = Objects.requireNonNull(value);
            out.putBytes(written, 0, written.length);
        }

        @Override
        public void changed() {
            changes++;
            records = journal.size();
        }
    }

    private static byte[] key(int number) {
        return ("key " + number).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] value(SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(8) == 0 ? random.nextInt(VALUE_BYTES_MAX) : random.nextInt(32)];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte @Nullable [] change(byte[] key, byte @Nullable [] value) {
        Change change = new Change(value);
        map.change(key, change, null);
        return change.before;
    }

    private static byte @Nullable [] get(RawMap of, byte[] key) {
        byte[][] found = new byte[1][];
        of.read(key, (bytes, length, bucket, overflow) -> {
            assertTrue(bucket != 0);
            found[0] = length < 0 ? null : Arrays.copyOf(bytes, length);
        });
        return found[0];
    }

    private static Map<String, String> all(RawMap of, int bytesMax) {
        Map<String, String> all = new TreeMap<>();
        long place = 0;
        do {
            place = of.scan(place, new RawVisitor() {
                private int left = bytesMax;

                @Override
                public boolean entry(byte[] bytes, int keyFrom, int keyLength, int valueFrom, int valueLength) {
                    if (left != bytesMax && keyLength + valueLength > left) {
                        return false;
                    }
                    left -= keyLength + valueLength;
                    assertNull(all.put(new String(bytes, keyFrom, keyLength, StandardCharsets.UTF_8),
                        new String(bytes, valueFrom, valueLength, StandardCharsets.ISO_8859_1)), "a key once");
                    return true;
                }

                @Override
                public void read(long cid) {
                    assertTrue(cid != 0);
                }
            });
        } while (place != 0);
        return all;
    }

    /** Goal: each prefix of the journal is the map of a moment; each change is one record. */
    @Test
    void change_isOneRecord_andEachBeginningOfTheJournalIsAMapOfAMoment() {
        long seed = Seed.first();
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, String> model = new TreeMap<>();
        List<Map<String, String>> models = new ArrayList<>();
        List<Integer> records = new ArrayList<>();
        for (int i = 0; i < CHANGES; i++) {
            String key = "key " + random.nextInt(KEYS);
            byte[] value = random.nextInt(4) == 0 ? null : value(random);
            Change change = new Change(value);
            map.change(key.getBytes(StandardCharsets.UTF_8), change, journal);
            String text = value == null ? null : new String(value, StandardCharsets.ISO_8859_1);
            String before = text == null ? model.remove(key) : model.put(key, text);
            assertEquals(before, change.before == null ? null : new String(change.before, StandardCharsets.ISO_8859_1),
                () -> Seed.reproduce(RawMapsTest.class, seed));
            assertEquals(text == null && before == null ? 0 : 1, change.changes);
            if (change.changes == 1 && i > CHANGES / 2) {
                models.add(new TreeMap<>(model));
                records.add(change.records + 1);
            }
        }
        assertEquals(model, all(map, 400), () -> Seed.reproduce(RawMapsTest.class, seed));
        assertEquals(model.size(), map.longSize());
        for (int i = 0; i < RESTORES; i++) {
            int last = random.nextInt(models.size());
            int count = records.get(last);
            assertEquals(models.get(last), restored(count),
                () -> "of " + count + " records " + Seed.reproduce(RawMapsTest.class, seed));
        }
    }

    /** Why a recording of the zone must not go on during a change: the journal gets a part of the change. */
    @Test
    void recording_duringAChange_recordsAPart() {
        byte[] longValue = new byte[VALUE_BYTES_MAX];
        change(key(1), new byte[] {1});
        Map<String, String> before = all(map, 1 << 20);
        int first = journal.size();
        Change change = new Change(longValue) {
            @Override
            public void changed() {
                super.changed();
                ZoneRecording recording = Zones.of(store).record(ZONE, null);
                for (boolean isMore = true; isMore; isMore = recording.next(1)) {
                    assertTrue(journal.size() - first < RECORDS_MAX, "it does not end");
                }
            }
        };
        map.change(key(1), change, null);
        Map<String, String> after = all(map, 1 << 20);
        assertEquals(after, restored(journal.size()));
        int count = journal.size() - 1;
        while (isMapOf(count, before, after)) {
            assertTrue(--count > first, "each beginning of the journal is a whole map");
        }
    }

    private boolean isMapOf(int count, Map<String, String> before, Map<String, String> after) {
        try {
            Map<String, String> now = restored(count);
            return now.equals(before) || now.equals(after);
        } catch (StoreException e) {
            return false;
        }
    }

    private Map<String, String> restored(int count) {
        try (Store other = Stores.open()) {
            ZoneFill fill = Zones.of(other).fill(ZONE);
            journal.fillFirst(ZONE, count, fill);
            RawMap again = RawMaps.of(fill.publish()).at(map.root());
            assertTrue(again != null && again.root() == map.root());
            again.audit();
            return all(again, 1 << 20);
        }
    }

    @Test
    void map_isTheMapOfTheCodecs() {
        Map<String, byte[]> expected = new HashMap<>();
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < KEYS; i++) {
            byte[] value = value(random);
            Output key = Output.growing(16);
            key.putValue(Codecs.STRING, "key " + i);
            assertNull(change(key.toByteArray(), value));
            expected.put("key " + i, value);
        }
        try (Store other = Stores.open()) {
            ZoneFill fill = Zones.of(other).fill(ZONE);
            journal.fillFirst(ZONE, journal.size(), fill);
            ChunkMap<String, byte[]> typed = fill.publish().map("orders", Codecs.STRING, Codecs.BYTES);
            assertEquals(expected.size(), typed.longSize());
            expected.forEach((key, value) -> assertArrayEquals(value, typed.get(key)));
        }
    }

    @Test
    void open_ofTheSameName_isTheSameMap_andOfAnotherKindIsRefused() {
        assertSame(map, maps.open("orders", Codecs.STRING.describe(), Codecs.BYTES.describe(), -1));
        assertSame(map, maps.at(map.root()));
        assertNull(maps.at(map.root() + 1));
        assertThrows(IllegalArgumentException.class, () -> maps.open("orders", Codecs.LONG.describe(), "bytes", 8));
        RawMap numbers = maps.open("numbers", Codecs.LONG.describe(), Codecs.LONG.describe(), Long.BYTES);
        assertEquals(Long.BYTES, numbers.keyBytes());
        assertEquals(-1, map.keyBytes());
        assertThrows(IllegalArgumentException.class, () -> RawMaps.of(store));
    }

    @Test
    void drop_endsTheMap_andLeavesTheOthers() {
        RawMap other = maps.open("other", "keys", "values", -1);
        assertNull(change(key(1), new byte[3]));
        Set<Long> roots = new HashSet<>(Set.of(map.root(), other.root()));
        for (long root : maps.roots()) {
            assertTrue(roots.remove(root));
        }
        assertTrue(roots.isEmpty());
        assertEquals(other.root(), maps.drop("other"));
        assertEquals(0, maps.drop("other"));
        assertThrows(IllegalStateException.class, other::longSize);
        assertNull(maps.at(other.root()));
        assertSame(map, maps.at(map.root()));
        assertNotEquals(other.root(), maps.open("other", "keys", "values", -1).root());
        zone.names().bind("chunk", zone.create(new byte[1]));
        assertEquals(2, maps.roots().length);
    }

    @Test
    void change_ofADroppedZone_orRefusedByTheJournal_isNotMade() {
        journal.beginsLeft.set(0);
        assertThrows(RuntimeException.class, () -> change(key(1), new byte[3]));
        journal.beginsLeft.set(Integer.MAX_VALUE);
        assertNull(get(map, key(1)));
        assertNull(change(key(1), new byte[3]));
        assertArrayEquals(new byte[3], get(map, key(1)));
        assertFalse(zone.names().all().isEmpty());
        Zones.of(store).drop(ZONE);
        assertThrows(ZoneDroppedException.class, () -> change(key(1), new byte[3]));
        assertThrows(ZoneDroppedException.class, () -> get(map, key(1)));
    }
}
