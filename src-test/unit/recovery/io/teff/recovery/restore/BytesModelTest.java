package io.teff.recovery.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.journal.ChangedBytes;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.SegmentWriter;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.Liveness;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: a restored chunk has the newest state all of whose entries are present, to the byte, and never bytes on another
 * state than the one that they follow; a cleaning keeps what this state needs.
 *
 * <p>Method: random histories of few indexes with whole chunks, bytes, removals and chunks that are created again. Then
 * entries are lost, shown twice, replaced by the whole state as by a cleaning, and shown in any order. A slow model
 * knows the state behind each entry.
 */
final class BytesModelTest {
    private static final int CASES = 30_000;
    private static final int NID = 3;
    private static final ZoneId ZONE = new ZoneId(NID, 0);
    private static final long GENERATION = 1L << 40;
    private static final int SEGMENTS = 4;
    private static final int LENGTH_MAX = 40;

    /** An entry, the number of the entry that it follows, and the state behind it; null: there is no chunk. */
    private record Entry(long cid, long number, int kind, long before, byte[] payload, byte @Nullable [] state) {
        long index() {
            return Cid.index(cid);
        }

        int entryBytes() {
            return payload.length + SegmentWriter.ENTRY_BYTES;
        }

        void to(EntryVisitor visitor) {
            MemorySegment bytes = MemorySegment.ofArray(new byte[payload.length + 3]);
            MemorySegment.copy(MemorySegment.ofArray(payload), 0, bytes, 3, payload.length);
            visitor.entry(cid, number, NID, 0, kind, bytes, 3, payload.length);
        }

        void to(Liveness liveness, int segment) {
            if (kind == EntryKind.BYTES) {
                liveness.seeBytes(segment, cid, number, before, entryBytes());
            } else {
                liveness.see(segment, cid, number, kind, entryBytes());
            }
        }

        @Override
        public String toString() {
            return Cid.toString(cid) + " kind " + kind + " number " + number + " after " + before;
        }
    }

    /** Chunks by index. */
    private static final class Chunks implements ChunkRestorer {
        private final Map<Long, String> there = new TreeMap<>();
        private final Map<Long, Long> cids = new HashMap<>();
        private final Map<Long, byte[]> contents = new HashMap<>();

        private void set(long cid, String what, byte @Nullable [] content) {
            there.put(Cid.index(cid), text(cid, what, content));
            cids.put(Cid.index(cid), cid);
            contents.remove(Cid.index(cid));
            if (content != null) {
                contents.put(Cid.index(cid), content);
            }
        }

        static String text(long cid, String what, byte @Nullable [] content) {
            return Cid.toString(cid) + " " + what + " " + Arrays.toString(content);
        }

        @Override
        public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
            set(cid, "chunk", source.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
        }

        @Override
        public boolean change(long cid, MemorySegment source, long offset, int length) {
            byte[] before = contents.get(Cid.index(cid));
            if (before == null || cids.get(Cid.index(cid)) != cid) {
                return false;
            }
            set(cid, "chunk", changed(before, source, offset, length));
            return true;
        }

        @Override
        public Pieces begin(long length) {
            throw new AssertionError("no chunk is long");
        }

        @Override
        public void removed(long cid) {
            set(cid, "removed", null);
        }

        @Override
        public void reserved(long cid) {
            set(cid, "reserved", null);
        }
    }

    private static byte[] changed(byte[] before, MemorySegment source, long offset, int length) {
        assertTrue(ChangedBytes.isPossible(source, offset, length));
        byte[] after = Arrays.copyOf(before, ChangedBytes.chunkBytes(source, offset));
        ChangedBytes.forEachPart(source, offset, length, (at, from, bytes) ->
            MemorySegment.copy(source, from, MemorySegment.ofArray(after), at, bytes));
        return after;
    }

    // ---- histories ----

    private static Entry whole(Random random, long cid, long number) {
        byte[] content = new byte[random.nextInt(LENGTH_MAX)];
        random.nextBytes(content);
        return new Entry(cid, number, EntryKind.PUT, 0, content, content);
    }

    private static Entry bytes(Random random, Entry last, long number) {
        int length = random.nextBoolean() ? last.state.length : random.nextInt(LENGTH_MAX);
        MemorySegment target = MemorySegment.ofArray(new byte[2 * LENGTH_MAX + 50]);
        long end = ChangedBytes.writeHead(target, 0, last.number, length);
        int place = 0;
        for (int i = random.nextInt(4); i > 0 && place < length; i--) {
            int gap = random.nextInt(Math.min(5, length - place));
            byte[] part = new byte[1 + random.nextInt(length - place - gap)];
            random.nextBytes(part);
            end = ChangedBytes.writePart(target, end, gap, part.length);
            MemorySegment.copy(MemorySegment.ofArray(part), 0, target, end, part.length);
            end += part.length;
            place += gap + part.length;
        }
        byte[] payload = target.asSlice(0, end).toArray(ValueLayout.JAVA_BYTE);
        return new Entry(last.cid, number, EntryKind.BYTES, last.number, payload,
            changed(last.state, MemorySegment.ofArray(payload), 0, payload.length));
    }

    /** Returns a history of an index, oldest first, as a store writes it. */
    private static List<Entry> history(Random random, long index, int count) {
        List<Entry> all = new ArrayList<>();
        long number = 8;
        long generation = 0;
        Entry last = null;
        for (int i = 0; i < count; i++) {
            number += 8;
            long cid = Cid.of(NID, index) + generation * GENERATION;
            int what = random.nextInt(10);
            if (last == null || last.state == null || what < 2) {
                last = what == 0 && (last == null || last.state == null)
                    ? new Entry(cid, number, EntryKind.RESERVED, 0, new byte[0], null) : whole(random, cid, number);
            } else if (what == 2) {
                last = new Entry(cid, random.nextBoolean() ? number - 1 : number, EntryKind.REMOVED, 0, new byte[0],
                    null);
                generation++;
            } else {
                last = bytes(random, last, number);
            }
            all.add(last);
        }
        return all;
    }

    /** Replaces some entries, or what is below them, by the state as a whole, as cleanings do. */
    private static List<Entry> merged(Random random, List<Entry> entries) {
        List<Entry> all = new ArrayList<>(entries);
        for (Entry it : entries) {
            if (it.kind == EntryKind.BYTES && random.nextInt(5) == 0) {
                all.add(new Entry(it.cid, it.number, EntryKind.PUT, 0, it.state, it.state));
                if (random.nextBoolean()) {
                    all.removeIf(other -> other.index() == it.index() && other.number <= it.number
                        && !(other.number == it.number && other.kind == EntryKind.PUT));
                }
            }
        }
        return all;
    }

    // ---- the model ----

    private static boolean isWhole(Entry it, List<Entry> present) {
        return it.kind != EntryKind.BYTES || present.stream().anyMatch(other -> other.number == it.before
            && other.cid == it.cid && (other.kind == EntryKind.PUT || other.kind == EntryKind.BYTES)
            && isWhole(other, present));
    }

    private static int rank(Entry it) {
        return it.kind == EntryKind.REMOVED ? 2 : it.kind == EntryKind.BYTES ? 0 : 1;
    }

    private static Map<Long, String> expected(List<Entry> present) {
        Map<Long, Entry> newest = new TreeMap<>();
        for (Entry it : present) {
            if (isWhole(it, present)) {
                newest.merge(it.index(), it, (one, other) -> one.number != other.number
                    ? one.number > other.number ? one : other : rank(one) >= rank(other) ? one : other);
            }
        }
        Map<Long, String> states = new TreeMap<>();
        newest.forEach((index, it) -> states.put(index, Chunks.text(it.cid, it.state != null ? "chunk"
            : it.kind == EntryKind.REMOVED ? "removed" : "reserved", it.state)));
        return states;
    }

    // ---- what is tested ----

    private static Map<Long, String> restored(List<Entry> entries, int waitingMax) {
        Chunks chunks = new Chunks();
        ZoneRestore restore = new ZoneRestore(chunks, ZONE, false, waitingMax);
        do {
            entries.forEach(it -> it.to(restore));
        } while (restore.endPass());
        restore.end();
        return chunks.there;
    }

    private static Map<Long, String> refilled(Random random, List<Entry> entries) {
        ZoneRestore known = new ZoneRestore(new DiscardingRestorer(new Chunks()), ZONE, true, 0);
        do {
            entries.forEach(it -> it.to(known));
        } while (known.endPass());
        Chunks chunks = new Chunks();
        ZoneRefill refill = new ZoneRefill(chunks, known);
        do {
            List<Entry> order = new ArrayList<>(entries);
            if (random.nextBoolean()) {
                Collections.shuffle(order, random);
            }
            order.forEach(it -> it.to(refill));
        } while (refill.endPass());
        return chunks.there;
    }

    private static void check(Random random, List<Entry> present, List<Entry> lost) {
        List<Entry> shown = new ArrayList<>(present);
        present.forEach(it -> {
            if (random.nextInt(6) == 0) {
                shown.add(it);
            }
        });
        if (random.nextBoolean()) {
            Collections.shuffle(shown, random);
        }
        Map<Long, String> expected = expected(present);
        assertEquals(expected, restored(shown, 1 << 20), () -> "one pass of " + shown);
        assertEquals(expected, restored(shown, random.nextInt(60)), () -> "passes of " + shown);
        assertEquals(expected, refilled(random, shown), () -> "refill of " + shown);
        clean(random, shown, expected, lost);
    }

    /** Cleans some segments; then everything must be as before, also if what was lost can be read again. */
    private static void clean(Random random, List<Entry> shown, Map<Long, String> expected, List<Entry> lost) {
        Liveness liveness = new Liveness(NID, 0, SEGMENTS);
        List<List<Entry>> segments = new ArrayList<>();
        boolean isDoubtful = random.nextInt(4) == 0;
        for (int i = 0; i < SEGMENTS; i++) {
            List<Entry> some = new ArrayList<>();
            for (int j = i; j < shown.size(); j += SEGMENTS) {
                some.add(shown.get(j));
                shown.get(j).to(liveness, i);
            }
            segments.add(some);
            if (isDoubtful && i == 1) {
                liveness.doubt(i);
            }
        }
        liveness.end();
        long live = 0;
        for (int i = 0; i < SEGMENTS; i++) {
            live += liveness.liveBytes(i);
        }
        ZoneRestore count = new ZoneRestore(new Chunks(), ZONE);
        segments.forEach(some -> some.forEach(it -> it.to(count)));
        assertEquals(count.live().bytes(), live, () -> "live bytes of " + shown);
        List<Entry> after = new ArrayList<>();
        for (int i = 0; i < SEGMENTS; i++) {
            boolean isVictim = random.nextInt(3) > 0;
            for (Entry it : segments.get(i)) {
                if (!isVictim || liveness.take(i, it.cid, it.number, it.kind)) {
                    after.add(it);
                }
            }
        }
        Collections.shuffle(after, random);
        assertEquals(expected, restored(after, 1 << 20), () -> "cleaned from " + shown + " to " + after);
        List<Entry> all = new ArrayList<>(shown);
        all.addAll(lost);
        after.addAll(lost);
        Map<Long, String> wanted = expected(all);
        assertEquals(wanted, restored(after, 1 << 20), () -> "found again " + lost + " beside " + after);
    }

    @Test
    void anyHistory_anyLoss_anyOrder() {
        for (int seed = 0; seed < CASES; seed++) {
            Random random = new Random(seed);
            List<Entry> present = new ArrayList<>();
            for (int index = 0; index < 2; index++) {
                present.addAll(history(random, 5 + index, 1 + random.nextInt(9)));
            }
            present = merged(random, present);
            List<Entry> lost = new ArrayList<>();
            for (Entry it : List.copyOf(present)) {
                if (random.nextInt(8) == 0) {
                    present.remove(it);
                    lost.add(it);
                }
            }
            try {
                check(random, present, lost);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    /** Every order, and every subset, of a small history with all that can follow each other. */
    @Test
    void smallHistory_everySubsetInEveryOrder() {
        Random random = new Random(1);
        long cid = Cid.of(NID, 5);
        Entry first = whole(random, cid, 8);
        Entry second = bytes(random, first, 16);
        Entry third = bytes(random, second, 24);
        Entry merged = new Entry(cid, 16, EntryKind.PUT, 0, second.state, second.state);
        Entry removed = new Entry(cid, 31, EntryKind.REMOVED, 0, new byte[0], null);
        Entry again = whole(random, cid + GENERATION, 40);
        Entry last = bytes(random, again, 48);
        List<Entry> all = List.of(first, second, third, merged, removed, again, last);
        for (int subset = 1; subset < 1 << all.size(); subset++) {
            List<Entry> some = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                if ((subset >> i & 1) != 0) {
                    some.add(all.get(i));
                }
            }
            Map<Long, String> expected = expected(some);
            permute(some, 0, order -> assertEquals(expected, restored(order, 1 << 20), order::toString));
        }
    }

    private static void permute(List<Entry> entries, int from, Consumer<List<Entry>> check) {
        if (from == entries.size()) {
            check.accept(entries);
            return;
        }
        for (int i = from; i < entries.size(); i++) {
            Collections.swap(entries, from, i);
            permute(entries, from + 1, check);
            Collections.swap(entries, from, i);
        }
    }
}
