package io.teff.recovery.log.clean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/**
 * Goal: the live entries of a zone equal those of a slow and simple model: for each index the highest complete version,
 * and the links of chains that may become complete; whatever the order in which entries are visited, and if some are
 * visited twice.
 */
final class LivenessTest {
    private static final int OWNER = 3;
    private static final int ZONE = 5;
    private static final long ZONE_FIRST = (long) ZONE << 20;
    private static final int SEGMENTS = 5;
    /** The distance from a CID to the next one of its index. */
    private static final long GENERATION = 1L << 40;

    /** An entry; a link of a chain of {@code links}, or a complete version if that is 0. */
    private record Entry(int segment, long cid, long sequence, int link, int links, int bytes, boolean isRemoval) {
        int kind() {
            return links > 0 ? EntryKind.LINK : isRemoval ? EntryKind.REMOVED : EntryKind.PUT;
        }

        long index() {
            return Cid.of(Cid.nid(cid), Cid.index(cid));
        }

        Entry at(int other) {
            return new Entry(other, cid, sequence, link, links, bytes, isRemoval);
        }

        boolean take(Liveness liveness) {
            return links == 0 ? liveness.take(segment, cid, sequence, kind())
                : liveness.takeLink(segment, cid, sequence, link);
        }

        void show(Liveness liveness) {
            if (links == 0) {
                liveness.see(segment, cid, sequence, kind(), bytes);
            } else {
                liveness.seeLink(segment, cid, sequence, link, links, bytes);
            }
        }
    }

    /**
     * Returns a CID with one of a few indexes and one of the generations 0 to 3; some belong to other zones and
     * creators.
     */
    private static long cid(SplittableRandom random) {
        long index = switch (random.nextInt(8)) {
            case 0 -> ZONE_FIRST - 1 - random.nextInt(3);
            case 1 -> ZONE_FIRST + (1 << 20) - 1;
            default -> ZONE_FIRST + random.nextInt(3) * 1023L + random.nextInt(2);
        };
        return Cid.of(random.nextInt(10) == 0 ? OWNER + 1 : OWNER, random.nextInt(4) * GENERATION + index);
    }

    private static List<Entry> draw(SplittableRandom random) {
        List<Entry> entries = new ArrayList<>();
        int versions = random.nextInt(60);
        long first = random.nextInt(3) == 0 ? Long.MAX_VALUE - 20 : 8;        // numbers are unsigned
        for (long sequence = first; sequence != first + versions; sequence++) {
            long cid = cid(random);
            int links = random.nextInt(4) == 0 ? random.nextInt(1, 5) : 0;
            for (int link = 0; link < Math.max(links, 1); link++) {
                if (links == 0 || random.nextInt(6) > 0) {
                    int bytes = random.nextInt(10, 100);
                    entries.add(new Entry(random.nextInt(SEGMENTS), cid, sequence, link, links, bytes, false));
                }
            }
            if (random.nextInt(5) == 0) {                       // removed twice between two records
                long other = Cid.of(Cid.nid(cid), random.nextInt(256) * GENERATION + Cid.index(cid));
                if (other != cid) {
                    entries.add(new Entry(random.nextInt(SEGMENTS), other, sequence, 0, 0, 12, true));
                }
            }
            if (random.nextInt(5) == 0) {                       // removed before the next record of its zone
                entries.add(new Entry(random.nextInt(SEGMENTS), cid, sequence, 0, 0, 13, true));
            }
        }
        for (int i = entries.size() - 1; i > 0; i--) {
            entries.add(entries.remove(random.nextInt(i + 1)));
        }
        return entries;
    }

    /** The entries that must be kept, by definition. */
    private static Set<Entry> alive(List<Entry> entries) {
        Map<Long, Entry> newest = new HashMap<>();
        Comparator<Entry> order = Comparator.comparing(Entry::sequence, Long::compareUnsigned)
            .thenComparing(Entry::isRemoval).thenComparingInt(entry -> Cid.generation(entry.cid));
        for (Entry entry : entries) {
            long seen = entries.stream().filter(other -> other.cid == entry.cid && other.sequence == entry.sequence
                && other.isRemoval == entry.isRemoval)
                .map(Entry::link).distinct().count();
            if (seen >= entry.links) {
                newest.merge(entry.index(), entry, (a, b) -> order.compare(a, b) >= 0 ? a : b);
            }
        }
        Set<Entry> alive = new HashSet<>();
        for (Entry entry : entries) {
            if (!newest.containsKey(entry.index()) || order.compare(entry, newest.get(entry.index())) >= 0) {
                alive.add(entry);
            }
        }
        return alive;
    }

    @Property(tries = 2000)
    void anyEntries_liveAsTheModelSays(@ForAll long seed) {
        List<Entry> entries = draw(new SplittableRandom(seed));
        Liveness liveness = new Liveness(OWNER, ZONE, SEGMENTS);
        entries.forEach(entry -> entry.show(liveness));
        liveness.end();
        Set<Entry> alive = alive(entries);
        long[] expected = new long[SEGMENTS];
        for (Entry entry : entries) {
            assertEquals(alive.contains(entry), liveness.isLive(entry.cid, entry.sequence, entry.kind()),
                entry::toString);
            expected[entry.segment] += alive.contains(entry) ? entry.bytes : 0;
        }
        for (int segment = 0; segment < SEGMENTS; segment++) {
            assertEquals(expected[segment], liveness.liveBytes(segment), "segment " + segment);
        }
    }

    /** A crash between writing survivors and releasing their old places leaves each of them twice. */
    @Property(tries = 500)
    void copiedEntries_countOnce(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Entry> entries = draw(random);
        Liveness once = new Liveness(OWNER, ZONE, SEGMENTS);
        entries.forEach(entry -> entry.show(once));
        once.end();
        Liveness twice = new Liveness(OWNER, ZONE, SEGMENTS + 1);
        for (Entry entry : entries) {
            entry.show(twice);
            entry.at(SEGMENTS).show(twice);
        }
        twice.end();
        for (int segment = 0; segment < SEGMENTS; segment++) {
            assertEquals(once.liveBytes(segment), twice.liveBytes(segment));
        }
        assertEquals(0, twice.liveBytes(SEGMENTS));
    }

    /** Returns the place where an entry counts: its first place, but not in a damaged segment if a later one has it. */
    private static Entry home(Entry entry, List<Entry> entries, boolean[] isDamaged) {
        Entry home = null;
        for (Entry other : entries) {
            if (other.at(0).equals(entry.at(0))
                && (home == null || home.segment != other.segment && isDamaged[home.segment])) {
                home = other;
            }
        }
        assertNotNull(home);
        return home;
    }

    /**
     * For any cleaned and any damaged segments: one of equal live entries remains, in a new segment or in an undamaged
     * one, and counts there; no other copy of it is taken.
     */
    @Property(tries = 1000)
    void equalEntries_areTakenOnce(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Entry> entries = draw(random);
        for (Entry entry : List.copyOf(entries)) {
            for (int copies = random.nextInt(3); copies > 0; copies--) {
                entries.add(random.nextInt(entries.size() + 1), entry.at(random.nextInt(SEGMENTS)));
            }
        }
        entries.sort(Comparator.comparingInt(Entry::segment));
        Liveness liveness = new Liveness(OWNER, ZONE, SEGMENTS);
        boolean[] isVictim = new boolean[SEGMENTS];
        boolean[] isDamaged = new boolean[SEGMENTS];
        for (int segment = 0; segment < SEGMENTS; segment++) {
            int shown = segment;
            entries.stream().filter(entry -> entry.segment == shown).forEach(entry -> entry.show(liveness));
            isVictim[segment] = random.nextInt(3) > 0;
            isDamaged[segment] = random.nextInt(4) == 0;
            if (isDamaged[segment]) {
                liveness.doubt(segment);
            }
        }
        liveness.end();
        Set<Entry> alive = alive(entries);
        long[] expected = new long[SEGMENTS];
        alive.stream().map(entry -> home(entry, entries, isDamaged)).distinct()
            .forEach(entry -> expected[entry.segment] += entry.bytes);
        for (int segment = 0; segment < SEGMENTS; segment++) {
            assertEquals(expected[segment], liveness.liveBytes(segment), "segment " + segment);
        }
        List<Entry> taken = new ArrayList<>();
        for (Entry entry : entries) {
            if (isVictim[entry.segment] && entry.take(liveness)) {
                assertTrue(alive.contains(entry), entry::toString);
                Entry home = home(entry, entries, isDamaged);
                assertTrue(home.equals(entry) || isDamaged[home.segment], () -> home + " is to be kept");
                taken.add(entry.at(0));
            }
        }
        assertEquals(taken.size(), new HashSet<>(taken).size(), "twice");
        for (Entry entry : alive) {
            assertTrue(taken.contains(entry.at(0)) || alive.stream().anyMatch(other -> !isVictim[other.segment]
                && !isDamaged[other.segment] && other.at(0).equals(entry.at(0)))
                || !isVictim[entry.segment], () -> "lost " + entry);
        }
    }

    @Test
    void generationsOfAnIndex_areOne() {
        long first = Cid.of(OWNER, ZONE_FIRST + 7);
        long second = first + GENERATION;
        assertEquals(Cid.index(first), Cid.index(second));
        assertEquals(1, Cid.generation(second) - Cid.generation(first));
        Newest newest = new Newest(OWNER, ZONE);
        assertTrue(newest.see(first, 8, EntryKind.PUT));
        assertTrue(newest.see(second, 16, EntryKind.PUT));
        assertFalse(newest.see(first, 9, EntryKind.PUT), "an older one changes nothing");
        assertEquals(16, newest.of(first));
        assertEquals(Newest.NONE, newest.of(first + 1));
    }

    /** Two removals between two records have the number of the time of removal, which is the same. */
    @Test
    void equalNumbers_areOrderedByGeneration() {
        for (int owner : new int[] {OWNER, OWNER + 1}) {
            for (long generation : new long[] {0, 127, 128, 254}) {
                long low = Cid.of(owner, ZONE_FIRST + 7 + generation * GENERATION);
                Newest newest = new Newest(OWNER, ZONE);
                assertTrue(newest.see(low, 15, EntryKind.REMOVED));
                assertFalse(newest.see(low, 15, EntryKind.REMOVED), "it is the same one");
                assertTrue(newest.see(low + GENERATION, 15, EntryKind.REMOVED));
                assertFalse(newest.see(low, 15, EntryKind.REMOVED));
                assertTrue(newest.compare(low, 15, EntryKind.REMOVED) < 0);
                assertEquals(0, newest.compare(low + GENERATION, 15, EntryKind.REMOVED));
                assertTrue(newest.see(low, 16, EntryKind.REMOVED), "a higher number wins whatever the generation");
            }
        }
    }

    @Test
    void equalNumbers_theRemovalWins() {
        long cid = Cid.of(OWNER, ZONE_FIRST + 7);
        for (long each : new long[] {cid, cid + 63, cid + 64, Cid.of(OWNER + 1, 7)}) {
            for (long number : new long[] {1, Long.MAX_VALUE, Long.MIN_VALUE, -1}) {
                Newest newest = new Newest(OWNER, ZONE);
                assertTrue(newest.see(each, number, EntryKind.PUT));
                assertTrue(newest.see(each, number, EntryKind.REMOVED));
                assertFalse(newest.see(each, number, EntryKind.PUT));
                assertFalse(newest.see(each + GENERATION, number, EntryKind.PUT), "whatever the generation");
                assertEquals(number != -1, newest.see(each, number + 1, EntryKind.PUT), "numbers are unsigned");
                assertTrue(newest.compare(each, number, EntryKind.REMOVED) < 0 || number == -1);
            }
        }
    }

    @Test
    void zonesOfCopies_haveTheirRange() {
        int zone = ZoneId.ofCopy(9, 5);
        Newest newest = new Newest(OWNER, zone);
        assertEquals(7, newest.place(Cid.of(OWNER, (5L << 20) + 7)));
        assertEquals(-1, newest.place(Cid.of(OWNER, (4L << 20) + 7)));
        assertEquals(zone, ZoneId.ofCopy(9, Cid.of(OWNER, (5L << 20) + 7)));
        assertEquals(9, ZoneId.copy(zone));
        assertEquals("3.9:5", new ZoneId(OWNER, zone).toString());
        assertEquals("3:1048575", new ZoneId(OWNER, (1 << 20) - 1).toString());
        assertTrue(ZoneId.isCopy(ZoneId.ofCopy(0, 0)) && !ZoneId.isCopy((1 << 20) - 1));
        assertEquals(-1, ZoneId.ofCopy(ZoneId.COPY_LIMIT - 1, ZoneId.RANGE_LIMIT - 1));
    }

    // ---- selection of segments ----

    @Property(tries = 2000)
    void victims_areTheEmptiestAndEnough(@ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int count,
                                         @ForAll @IntRange(min = 1, max = 99) int percent) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] bytes = random.longs(count, 1, 1000).toArray();
        long[] live = new long[count];
        for (int i = 0; i < count; i++) {
            live[i] = random.nextInt(4) == 0 ? 0 : random.nextLong(bytes[i] + 1);
        }
        int most = random.nextInt(3) == 0 ? random.nextInt(count) : count;
        List<Integer> victims = Victims.choose(live, bytes, percent / 100.0, most);
        Comparator<Integer> emptiest = Comparator.comparingDouble(i -> (double) live[i] / bytes[i]);
        double fullest = victims.stream().max(emptiest).map(i -> (double) live[i] / bytes[i]).orElse(0.0);
        long liveSum = 0;
        long before = 0;
        long after = 0;
        for (int i = 0; i < count; i++) {
            liveSum += live[i];
            before += bytes[i];
            after += victims.contains(i) ? live[i] : bytes[i];
            assertTrue(victims.contains(i) || victims.isEmpty() || (double) live[i] / bytes[i] >= fullest);
        }
        assertEquals(victims.size(), new HashSet<>(victims).size());
        assertTrue(victims.size() <= most, victims::toString);
        if (liveSum * 100 >= before * percent) {
            assertEquals(List.of(), victims, "full enough");
        } else if (!victims.isEmpty()) {
            boolean isAll = victims.size() == most || fullest == 1;
            assertTrue(isAll || liveSum * 100 >= after * percent, "not enough");
            assertTrue(victims.size() > 1 || live[victims.getFirst()] == 0, "one alone that is not empty");
        }
    }
}
