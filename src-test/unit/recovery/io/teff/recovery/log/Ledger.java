package io.teff.recovery.log;

import io.teff.engine.journal.ChangedBytes;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.RingRecord;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.read.ZoneReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Changes written by tests, and those read back: the content of each follows from its number and length. */
public final class Ledger implements EntryVisitor {
    public static final int OWNER = 7;
    public static final ManifestRecord.Log LOG =
        new ManifestRecord.Log(0x1122_3344_5566_7788L, 0x0123_4567_89AB_CDEFL, 1 << 15, OWNER);

    /** A change. */
    public record Entry(long cid, long sequence, int zone, int kind, int length) {}

    /** Names the state of a chunk behind a change. */
    public record State(long cid, long sequence) {}

    private final Map<State, byte[]> states;
    /** The number of the entry that each entry of bytes follows. */
    public final Map<Entry, Long> predecessors = new HashMap<>();
    public final List<Entry> entries = new ArrayList<>();
    public final List<Long> positions = new ArrayList<>();
    public final List<Boolean> groups = new ArrayList<>();

    public Ledger() {
        this(Map.of());
    }

    /** The content of a whole chunk is one of these, or follows from number and length. */
    Ledger(Map<State, byte[]> states) {
        this.states = states;
    }

    /** Returns whether the state of a chunk behind an entry can be restored. */
    boolean isWhole(Entry entry) {
        final Long before = predecessors.get(entry);
        return before == null || entries.stream().anyMatch(it -> it.cid == entry.cid && it.sequence == before
            && isWhole(it));
    }

    /** Returns the zone of a CID. */
    public static int zone(long cid) {
        return (int) (cid >>> 20 & 0xFFFF);
    }

    /** Returns the room that puts of these lengths take. */
    public static long entriesBytes(int... lengths) {
        long bytes = 0;
        for (int length : lengths) {
            bytes += RingRecord.ENTRY_BYTES + length;
        }
        return bytes;
    }

    /** Writes puts of successive CIDs into claimed room. */
    public static void fill(WriteBuffer buffer, long record, long cid, int... lengths) {
        long at = buffer.firstEntry(record);
        for (int i = 0; i < lengths.length; i++) {
            at = put(buffer, at, record, cid + i, lengths[i]);
        }
    }

    private static long put(WriteBuffer buffer, long at, long record, long cid, int length) {
        long payload = buffer.entry(at, cid, record, OWNER, zone(cid), EntryKind.PUT, length);
        MemorySegment.copy(content(record, cid, length), 0, buffer.memory(), payload, length);
        return payload + length;
    }

    /** Writes and commits a record of puts; returns its position. */
    public static long write(WriteBuffer buffer, boolean group, long cid, int... lengths) {
        long record = buffer.claim(entriesBytes(lengths));
        fill(buffer, record, cid, lengths);
        buffer.commit(record, group);
        return record;
    }

    /** Returns the content of a put. */
    public static MemorySegment content(long sequence, long cid, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = content(sequence, cid, i, length);
        }
        return MemorySegment.ofArray(bytes);
    }

    private static byte content(long sequence, long cid, int at, int length) {
        return (byte) (sequence * 31 + cid * 7 + at + length);
    }

    /** Reads a zone of a newly opened log; returns the damage. */
    public static List<FileDamage> read(OpenLog parts, ZoneId zone, Ledger into) throws IOException {
        ZoneReader reader = parts.reader();
        List<FileDamage> damage = new ArrayList<>();
        for (Map.Entry<Long, Boolean> segment : parts.secondary().hold(zone).segments().entrySet()) {
            damage.addAll(reader.read(zone.segment(segment.getKey()), segment.getValue(), into).damage());
        }
        return damage;
    }

    @Override
    public void record(long position, boolean group) {
        positions.add(position);
        groups.add(group);
    }

    @Override
    public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                      int length) {
        if (owner != OWNER || zone != zone(cid)) {
            throw new AssertionError("owner " + owner + ", zone " + zone + " of " + cid);
        }
        final byte[] state = states.get(new State(cid, sequence));
        if (kind == EntryKind.BYTES) {
            predecessors.put(new Entry(cid, sequence, zone, kind, length), ChangedBytes.predecessor(bytes, offset));
        } else if (bytes.asSlice(offset, length).mismatch(state == null ? content(sequence, cid, length)
            : MemorySegment.ofArray(state)) >= 0) {
            throw new AssertionError("wrong bytes of " + cid + " in " + sequence);
        }
        entries.add(new Entry(cid, sequence, zone, kind, length));
    }
}
