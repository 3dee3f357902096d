package io.teff.cluster.ship;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import io.teff.recovery.backup.RunReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes records to a ring as the engine does, and keeps what comes out of it, by zone. */
final class RingRecords implements ShipRing.Sink {
    /** Content of a chunk: a mark at its begin, and the same at its end. */
    static final int MARK_BYTES = 8;

    private final Map<Integer, List<Drained>> byZone = new TreeMap<>();
    private final RunReader reader = new RunReader();

    /** A record that came out: its number, and the marks of its entries. */
    record Drained(long number, List<Long> marks) {}

    /** Claims a record of several entries, without writing them. */
    static long claim(ShipRing ring, int zone, int entries, int length) {
        ring.begin();
        return ring.claim(zone, entries, (long) entries * length);
    }

    /** Writes the entries, marked from {@code mark} on. */
    static void write(ShipRing ring, long record, int zone, int entries, int length, long mark) {
        long after = 0;
        for (int i = 0; i < entries; i++) {
            final long at = ring.entry(record, after, Cid.of(zone, mark + i & 0xFFFF_FFFFL), Journal.PUT, length, 0);
            ring.memory().set(ValueLayout.JAVA_LONG_UNALIGNED, at, mark + i);
            ring.memory().set(ValueLayout.JAVA_LONG_UNALIGNED, at + length - MARK_BYTES, mark + i);
            after = at + length;
        }
    }

    static void put(ShipRing ring, int zone, int entries, int length, long mark) {
        final long record = claim(ring, zone, entries, length);
        write(ring, record, zone, entries, length, mark);
        ring.commit(record, entries > 1);
    }

    static void leave(ShipRing ring, long record) {
        final long[] left = ring.abandoned().places();
        final long product = record * AbandonedRecords.SPREAD;
        int place = (int) ((product ^ product >>> Integer.SIZE) * AbandonedRecords.SPREAD
            >>> AbandonedRecords.SHIFT) & AbandonedRecords.FIRST;
        while (left[place] != 0 && (place & AbandonedRecords.LAST) != AbandonedRecords.LAST) {
            place++;
        }
        left[place] = record;
    }

    @Override
    public void record(int zone, long number, MemorySegment source, long offset, long bytes) {
        assertNull(reader.check(source, offset, bytes, zone));
        assertTrue(reader.nextRecord());
        assertEquals(number, reader.number());
        final List<Long> marks = new ArrayList<>();
        while (reader.nextEntry()) {
            final long at = reader.contentOffset();
            final long mark = source.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
            assertEquals(mark, source.get(ValueLayout.JAVA_LONG_UNALIGNED, at + reader.length() - MARK_BYTES));
            marks.add(mark);
        }
        byZone.computeIfAbsent(zone, _ -> new ArrayList<>()).add(new Drained(number, marks));
    }

    List<Drained> of(int zone) {
        return byZone.getOrDefault(zone, List.of());
    }
}
