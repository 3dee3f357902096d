package io.teff.recovery.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.engine.Cid;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ZoneId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Goal: a zone read in several passes has the same content as in one pass, and at no time takes more memory than in the
 * end.
 *
 * <p>Method: random entries of few indexes, some of them twice and some chains incomplete, in a random order for each
 * pass, and a store that counts its bytes.
 */
final class ZoneRefillTest {
    private static final int CASES = 20_000;
    private static final int NID = 3;
    private static final int INDEXES = 3;
    private static final long GENERATION = 1L << 40;
    private static final int PAYLOAD_BYTES = 64;

    /** An entry passed to the visitor. */
    private record Shown(long cid, long sequence, int kind, byte[] payload) {
        void to(EntryVisitor visitor) {
            MemorySegment bytes = MemorySegment.ofArray(new long[PAYLOAD_BYTES / Long.BYTES]);
            MemorySegment.copy(MemorySegment.ofArray(payload), 0, bytes, 0, payload.length);
            visitor.entry(cid, sequence, NID, 0, kind, bytes, 0, payload.length);
        }
    }

    /** The chunks by index, and the peak of their bytes. */
    private static final class Memory implements ChunkRestorer {
        private final Map<Long, String> there = new TreeMap<>();
        private final Map<Long, Long> bytes = new TreeMap<>();
        private long used;
        private long usedMax;

        private void use(long more) {
            used += more;
            usedMax = Math.max(usedMax, used);
        }

        private void set(long cid, String what, long length) {
            there.put(Cid.index(cid), what + " " + Cid.generation(cid));
            Long before = bytes.put(Cid.index(cid), length);
            used -= before == null ? 0 : before;
        }

        @Override
        public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
            use(length);
            set(cid, "put " + isReadOnly + " " + source.get(ValueLayout.JAVA_BYTE, offset), length);
        }

        @Override
        public Pieces begin(long length) {
            use(length);
            return new Pieces() {
                private final List<Long> written = new ArrayList<>();

                @Override
                public void write(long at, MemorySegment source, long offset, long count) {
                    if (!written.contains(at)) {
                        written.add(at);
                    }
                }

                @Override
                public void put(long cid, boolean isReadOnly) {
                    Collections.sort(written);
                    set(cid, "chain " + isReadOnly + " " + length + " " + written, length);
                }

                @Override
                public void discard() {
                    used -= length;
                }
            };
        }

        @Override
        public void removed(long cid) {
            set(cid, "removed", 0);
        }

        @Override
        public void reserved(long cid) {
            set(cid, "reserved", 0);
        }
    }

    private static List<Shown> entries(Random random) {
        List<Shown> entries = new ArrayList<>();
        long sequence = 0;
        for (int i = random.nextInt(8) + 1; i > 0; i--) {
            sequence += 1 + random.nextInt(3);
            long cid = Cid.of(NID, 5 + random.nextInt(INDEXES)) + random.nextInt(3) * GENERATION;
            int kind = List.of(EntryKind.PUT, EntryKind.PUT_READ_ONLY, EntryKind.REMOVED, EntryKind.RESERVED,
                EntryKind.LINK, EntryKind.LINK).get(random.nextInt(6));
            if (kind == EntryKind.LINK) {
                chain(random, entries, cid, sequence);
            } else {
                boolean isPut = kind == EntryKind.PUT || kind == EntryKind.PUT_READ_ONLY;
                entries.add(new Shown(cid, sequence, kind,
                    isPut ? new byte[] {(byte) sequence, 0, 0, 0, 0} : new byte[0]));
            }
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            entries.add(entries.get(random.nextInt(entries.size())));
        }
        return entries;
    }

    private static void chain(Random random, List<Shown> entries, long cid, long sequence) {
        int links = 2 + random.nextInt(2);
        int missing = random.nextInt(2 * links);
        for (int number = 0; number < links; number++) {
            if (number != missing) {
                MemorySegment head = MemorySegment.ofArray(new long[PAYLOAD_BYTES / Long.BYTES]);
                ChainLink.writeHead(head, 0, number, links * (long) ChainLink.PIECE_BYTES);
                entries.add(new Shown(cid, sequence, EntryKind.LINK,
                    head.toArray(ValueLayout.JAVA_BYTE)));
            }
        }
    }

    private static void show(List<Shown> entries, int count, EntryVisitor visitor) {
        entries.subList(0, count).forEach(it -> it.to(visitor));
    }

    @Test
    void manyPasses_areAsOneAndNeedNoMore() {
        for (int seed = 0; seed < CASES; seed++) {
            Random random = new Random(seed);
            List<Shown> entries = entries(random);
            ZoneId zone = new ZoneId(NID, 0);

            Memory one = new Memory();
            ZoneRestore pass = new ZoneRestore(one, zone);
            show(entries, entries.size(), pass);
            pass.end();

            Memory two = new Memory();
            Collections.shuffle(entries, random);
            ZoneRestore begun = new ZoneRestore(two, zone);
            show(entries, random.nextInt(entries.size() + 1), begun);
            begun.end();
            show(entries, entries.size(), new ZoneRestore(new DiscardingRestorer(two), zone));
            assertEquals(0, two.used, "forgotten, seed " + seed);
            two.usedMax = 0;
            Collections.shuffle(entries, random);
            ZoneRestore first = new ZoneRestore(new DiscardingRestorer(two), zone);
            show(entries, entries.size(), first);
            Collections.shuffle(entries, random);
            ZoneRefill second = new ZoneRefill(two, first);
            show(entries, entries.size(), second);
            second.endPass();
            Collections.shuffle(entries, random);
            show(entries, entries.size(), second);
            second.endPass();

            assertEquals(one.there, two.there, "seed " + seed);
            assertEquals(one.used, two.used, "seed " + seed);
            assertEquals(two.used, two.usedMax, "seed " + seed);
        }
    }
}
