package io.teff.recovery.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.engine.Cid;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.ZoneId;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: the state reported last for an index is that of its newest entry, in whatever order entries arrive. */
final class ZoneRestoreOrderTest {
    private static final int NID = 3;
    /** The distance from a CID to the next one of its index. */
    private static final long GENERATION = 1L << 40;

    /** An entry without content. */
    private record Entry(int kind, int generation, long sequence) {}

    /** Keeps the last reported kind and generation. */
    private static final class Last implements ChunkRestorer {
        private int kind;
        private int generation;

        private void note(int itsKind, long cid) {
            kind = itsKind;
            generation = Cid.generation(cid);
        }

        @Override
        public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
            note(EntryKind.PUT, cid);
        }

        @Override
        public Pieces begin(long length) {
            throw new AssertionError("no chunk is long");
        }

        @Override
        public void removed(long cid) {
            note(EntryKind.REMOVED, cid);
        }

        @Override
        public void reserved(long cid) {
            note(EntryKind.RESERVED, cid);
        }
    }

    /** Returns all permutations of some entries. */
    private static List<List<Entry>> orders(List<Entry> entries) {
        if (entries.isEmpty()) {
            return List.of(List.of());
        }
        List<List<Entry>> all = new ArrayList<>();
        for (Entry first : entries) {
            List<Entry> rest = new ArrayList<>(entries);
            rest.remove(first);
            for (List<Entry> order : orders(rest)) {
                List<Entry> whole = new ArrayList<>(order);
                whole.addFirst(first);
                all.add(whole);
            }
        }
        return all;
    }

    private static void check(Entry newest, List<Entry> others) {
        List<Entry> entries = new ArrayList<>(others);
        entries.add(newest);
        for (List<Entry> order : orders(entries)) {
            Last last = new Last();
            ZoneRestore restore = new ZoneRestore(last, new ZoneId(NID, 0));
            for (Entry it : order) {
                restore.entry(Cid.of(NID, 5) + it.generation * GENERATION, it.sequence, NID, 0, it.kind,
                    MemorySegment.NULL, 0, 0);
            }
            restore.end();
            assertEquals(newest.kind, last.kind, order::toString);
            assertEquals(newest.generation, last.generation, order::toString);
        }
    }

    @Test
    void highestNumber_winsWhateverItsGeneration() {
        check(new Entry(EntryKind.PUT, 2, 24), List.of(new Entry(EntryKind.PUT, 4, 8),
            new Entry(EntryKind.REMOVED, 4, 15), new Entry(EntryKind.RESERVED, 3, 16)));
    }

    /** An index that was used and freed twice between two records: otherwise its last CID could be issued again. */
    @Test
    void removalsOfEqualNumbers_areOrderedByGeneration() {
        check(new Entry(EntryKind.REMOVED, 200, 15), List.of(new Entry(EntryKind.PUT, 198, 8),
            new Entry(EntryKind.REMOVED, 198, 15), new Entry(EntryKind.REMOVED, 199, 15)));
    }
}
