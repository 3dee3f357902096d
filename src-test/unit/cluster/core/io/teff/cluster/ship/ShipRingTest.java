package io.teff.cluster.ship;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.operation.PeerBusy;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.Cid;
import io.teff.engine.error.StoreException;
import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Clock;
import io.teff.recovery.backup.RunReader;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: what comes out of the ring is, for each zone, what was claimed, in this order, whole, with consecutive numbers,
 * whatever the order of commits, and whatever becomes of threads.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShipRingTest {
    private static final int SMALL = 1 << 14;
    /** Records of each of many threads. */
    private static final int RECORDS = Form.size(10_000, 40_000, 300_000);
    private static final int STACK_ROUNDS = Form.size(5, 20, 100);
    private static final int RUNS = Form.size(100, 300, 2_000);
    private static final int STEPS = 300;
    private static final int CHANGES = 150;

    /** A record that was claimed: what must come out. */
    private static final class Claimed {
        private final int zone;
        private final long position;
        private final int entries;
        private final int length;
        private final long mark;
        private final RingRecords.Drained expected;

        Claimed(int zone, long position, int entries, int length, long mark, long number) {
            this.zone = zone;
            this.position = position;
            this.entries = entries;
            this.length = length;
            this.mark = mark;
            List<Long> marks = new ArrayList<>();
            for (int i = 0; i < entries; i++) {
                marks.add(mark + i);
            }
            expected = new RingRecords.Drained(number, marks);
        }
    }

    /** Above all numbers of earlier owners, also of changes that a power cut has taken back. */
    @Test
    void now_ofAZoneThatWasRestored_hasTheEpochOfItsOwner() {
        ShipRing ring = new ShipRing(ShipRing.CAPACITY_MIN, Clock.SYSTEM);
        ring.open(1, 7, ZoneNumber.of(5, 20));
        assertEquals(ZoneNumber.of(7, 20), ring.now(1));
    }

    @Test
    void drain_afterRandomClaimsAndCommits_hasEachZonesRecordsInTheirOrder() {
        long seed = Seed.first();
        for (int run = 0; run < RUNS; run++) {
            randomRun(seed + run);
        }
    }

    private static void randomRun(long seed) {
        String what = "reproduce: -Dseed=" + seed;
        SplittableRandom random = new SplittableRandom(seed);
        ShipRing ring = new ShipRing(SMALL, Clock.SYSTEM);
        RingRecords out = new RingRecords();
        Map<Integer, List<RingRecords.Drained>> expected = new HashMap<>();
        List<Claimed> open = new ArrayList<>();
        int[] epochs = {0, 1, 7, 3};
        long[] counters = {0, 0, 5, 900};
        for (int zone = 1; zone <= 3; zone++) {
            ring.open(zone, epochs[zone], ZoneNumber.of(epochs[zone] - 1, counters[zone]));
        }
        long refused = 0;
        for (int step = 0; step < STEPS; step++) {
            int zone = 1 + random.nextInt(3);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    int entries = 1 + random.nextInt(3);
                    int length = 16 + random.nextInt(random.nextBoolean() ? 40 : 400);
                    try {
                        long record = RingRecords.claim(ring, zone, entries, length);
                        Claimed claimed = new Claimed(zone, record, entries, length, step * 10L,
                            ZoneNumber.of(epochs[zone], ++counters[zone]));
                        open.add(claimed);
                        expected.computeIfAbsent(zone, _ -> new ArrayList<>()).add(claimed.expected);
                        assertEquals(claimed.expected.number(), ring.now(zone), what);
                    } catch (StoreException e) {
                        assertTrue(PeerBusy.is(e), what);
                        refused++;
                    }
                }
                case 3, 4 -> end(ring, open, random, false);
                case 5 -> end(ring, open, random, random.nextInt(4) == 0);
                case 6 -> ring.drain(out, 1 + random.nextInt(SMALL));
                default -> {
                    epochs[zone] += random.nextInt(20) == 0 ? 1 : 0;
                    ring.raise(zone, epochs[zone]);
                }
            }
        }
        while (!open.isEmpty()) {
            end(ring, open, random, false);
        }
        ring.drain(out, Long.MAX_VALUE);
        assertFalse(ring.hasMore(), what);
        assertEquals(0, ring.usedBytes(), what);
        assertEquals(refused, ring.refusals(), what);
        for (int zone = 1; zone <= 3; zone++) {
            assertEquals(expected.getOrDefault(zone, List.of()), out.of(zone), what);
        }
    }

    /** Commits a random record, or leaves it as a thread without stack does. */
    private static void end(ShipRing ring, List<Claimed> open, SplittableRandom random, boolean isLeft) {
        if (open.isEmpty()) {
            return;
        }
        Claimed claimed = open.remove(random.nextInt(open.size()));
        RingRecords.write(ring, claimed.position, claimed.zone, claimed.entries, claimed.length, claimed.mark);
        if (isLeft) {
            RingRecords.leave(ring, claimed.position);
            claimed.expected.marks().clear();
        } else {
            ring.commit(claimed.position, claimed.entries > 1);
        }
    }

    @Test
    void drain_whileManyThreadsWrite_losesAndReordersNothing() throws InterruptedException {
        int threads = 6;
        int records = RECORDS;
        ShipRing ring = new ShipRing(1 << 16, Clock.SYSTEM);
        RingRecords out = new RingRecords();
        List<Thread> all = new ArrayList<>();
        for (int zone = 1; zone <= 3; zone++) {
            ring.open(zone, 1, 0);
        }
        AtomicInteger running = new AtomicInteger(threads);
        for (int i = 0; i < threads; i++) {
            long thread = i;
            all.add(Thread.ofPlatform().start(() -> {
                for (int k = 0; k < records; k++) {
                    putPatiently(ring, 1 + k / CHANGES % 3, 1 + k % 3, 16 + k % 50, thread << 40 | k * 4L);
                }
                running.decrementAndGet();
            }));
        }
        while (running.get() > 0 || ring.hasMore()) {
            Threads.await("a record", () -> ring.drain(out, 1 << 12) > 0 || running.get() == 0 && !ring.hasMore());
        }
        for (Thread thread : all) {
            thread.join();
        }
        int count = 0;
        for (int zone = 1; zone <= 3; zone++) {
            long[] last = new long[threads];
            List<RingRecords.Drained> drained = out.of(zone);
            count += drained.size();
            for (int i = 0; i < drained.size(); i++) {
                assertEquals(ZoneNumber.of(1, i + 1), drained.get(i).number());
                long mark = drained.get(i).marks().getFirst();
                int thread = (int) (mark >>> 40);
                assertTrue(mark >= last[thread], "the records of a thread are in its order");
                last[thread] = mark;
                for (int k = 0; k < drained.get(i).marks().size(); k++) {
                    assertEquals(mark + k, drained.get(i).marks().get(k), "groups are whole");
                }
            }
        }
        assertEquals(threads * records, count);
    }

    private static void putPatiently(ShipRing ring, int zone, int entries, int length, long mark) {
        Threads.await("room", () -> {
            try {
                RingRecords.put(ring, zone, entries, length, mark);
                return true;
            } catch (StoreException e) {
                assertTrue(PeerBusy.is(e));
                return false;
            }
        });
    }

    @Test
    void begin_withTooLittleRoom_refusesInsteadOfWaiting_andAcceptsAfterADrain() {
        ShipRing ring = new ShipRing(SMALL, Clock.SYSTEM);
        ring.open(1, 1, 0);
        StoreException refused = assertThrows(StoreException.class, () -> {
            for (int i = 0; i < SMALL; i++) {
                RingRecords.put(ring, 1, 1, 100, i);
            }
        });
        assertTrue(PeerBusy.is(refused));
        assertTrue(ring.usedBytes() >= SMALL / 2 && ring.usedBytes() <= SMALL * 7 / 8, "a reserve is left");
        ring.drain(new RingRecords(), Long.MAX_VALUE);
        RingRecords.put(ring, 1, 1, 100, 0);
        assertEquals(1, ring.refusals());
    }

    @Test
    void begin_whileBackupsLagBehind_refuses() {
        ShipRing ring = new ShipRing(SMALL, Clock.SYSTEM);
        ring.congested(true);
        assertTrue(PeerBusy.is(assertThrows(StoreException.class, ring::begin)));
        ring.congested(false);
        ring.begin();
    }

    @Test
    void claim_afterBegin_hasRoom_whenTheDrainerMakesSome() throws InterruptedException {
        ShipRing ring = new ShipRing(SMALL, Clock.SYSTEM);
        ring.open(1, 1, 0);
        ring.begin();
        while (ring.usedBytes() < SMALL - 400) {
            long record = ring.claim(1, 1, 100);
            RingRecords.write(ring, record, 1, 1, 100, 1);
            ring.commit(record, false);
        }
        Thread thread = Thread.ofPlatform().start(() -> {
            ring.awaitRoom(1, 1_000);
            ring.claim(1, 1, 1_000);
        });
        RingRecords out = new RingRecords();
        Threads.await("the waiter", () -> ring.roomWaits() > 0);
        ring.drain(out, Long.MAX_VALUE);
        thread.join();
        assertTrue(ring.hasMore());
    }

    @Test
    void changeOf_isAtLeastTheLastChangeOfTheChunk() {
        ShipRing ring = new ShipRing(1 << 20, Clock.SYSTEM);
        ring.open(2, 1, 0);
        assertEquals(0, ring.changeOf(Cid.of(2, 5)));
        for (int i = 1; i <= 100; i++) {
            RingRecords.put(ring, 2, 1, 8, i);
            assertTrue(ring.changeOf(Cid.of(2, i)) >= i);
        }
    }

    @Test
    void entry_ofARemoval_keepsItsEarlierNumber() {
        ShipRing ring = new ShipRing(SMALL, Clock.SYSTEM);
        ring.open(1, 1, 0);
        RingRecords.put(ring, 1, 1, 8, 1);
        long now = ring.now(1);
        RingRecords.put(ring, 1, 1, 8, 2);
        long record = ring.claim(1, 1, 0);
        ring.entry(record, 0, Cid.of(1, 1), Journal.REMOVED, 0, now);
        ring.commit(record, true);
        RunReader reader = new RunReader();
        ring.drain((zone, number, source, offset, bytes) -> {
            assertEquals(null, reader.check(source, offset, bytes, zone));
            reader.nextRecord();
            reader.nextEntry();
            if (reader.kind() == Journal.REMOVED) {
                assertEquals(now, reader.entryNumber());
            }
        }, Long.MAX_VALUE);
        assertEquals(3, ZoneNumber.counter(ring.now(1)));
    }

    @Test
    void claim_ofMoreThanARecordTakes_isRefused() {
        ShipRing ring = new ShipRing(ShipRing.CAPACITY_MIN, Clock.SYSTEM);
        assertTrue(ring.recordBytesMax(1) >= Journal.CONTENT_BYTES_MAX);
        assertThrows(IllegalArgumentException.class, () -> ring.claim(1, 1, ring.recordBytesMax(1) + 1));
        assertTrue(ring.recordBytesMax(1_000_000) < 0);
        long record = ring.claim(1, 1, ring.recordBytesMax(1));
        ring.entry(record, 0, Cid.of(1, 1), Journal.PUT, Journal.CONTENT_BYTES_MAX, 0);
        ring.commit(record, false);
        assertTrue(ring.drain((_, _, _, _, _) -> {}, Long.MAX_VALUE) > Journal.CONTENT_BYTES_MAX);
    }

    /**
     * A stack ends behind the claim of a record at the ring's begin, for each room that is skipped before it, and
     * before or after this is marked: the drainer, which may have passed what is skipped, ends the record. The memory
     * belongs to the thread of the test, so that another thread fails at its first access, where a stack may end.
     */
    @ParameterizedTest
    @CsvSource({"8, false", "8, true", "24, false", "24, true", "104, false", "104, true"})
    void claimAcrossTheEnd_withoutStack_isEndedByTheDrainer(int room, boolean isSkipMarked) throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            ShipRing ring = new ShipRing(SMALL, Clock.SYSTEM, arena);
            RingRecords out = new RingRecords();
            ring.open(1, 1, 0);
            long lapEnd = 2 * SMALL;
            fillTo(ring, lapEnd - SMALL / 2);
            ring.drain(out, Long.MAX_VALUE);
            fillTo(ring, lapEnd - room);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread writer = Thread.ofPlatform().uncaughtExceptionHandler((_, e) -> failure.set(e))
                .start(() -> ring.claim(1, 1, SMALL / 8));
            writer.join();
            assertInstanceOf(WrongThreadException.class, failure.get());
            if (isSkipMarked) {
                ShipLayout.skipRelease(ring.memory(), SMALL - room, room);
            }
            fillTo(ring, tail(ring) + 400);
            ring.drain(out, Long.MAX_VALUE);
            assertFalse(ring.hasMore(), "a record is neither committed nor left");
            assertEquals(1, ring.abandonedCount());
            List<RingRecords.Drained> drained = out.of(1);
            for (int i = 0; i < drained.size(); i++) {
                assertEquals(ZoneNumber.of(1, i + 1), drained.get(i).number());
            }
            assertEquals(1, drained.stream().filter(it -> it.marks().isEmpty()).count());
            assertEquals(ring.now(1), drained.getLast().number());
        }
    }

    private static long tail(ShipRing ring) {
        return ring.drained() + ring.usedBytes();
    }

    /** Commits records up to a position. */
    private static void fillTo(ShipRing ring, long position) {
        long before = tail(ring);
        putNow(ring, RingRecords.MARK_BYTES);
        long least = tail(ring) - before;
        while (tail(ring) < position) {
            long left = position - tail(ring);
            putNow(ring, (int) (left < 2 * least ? RingRecords.MARK_BYTES + left - least : RingRecords.MARK_BYTES));
        }
        assertEquals(position, tail(ring));
    }

    private static void putNow(ShipRing ring, int length) {
        long record = ring.claim(1, 1, length);
        RingRecords.write(ring, record, 1, 1, length, 1);
        ring.commit(record, false);
    }

    @Test
    void stacksThatEnd_inWhateverStep_leaveNoHole() throws InterruptedException {
        int rounds = STACK_ROUNDS;
        ShipRing ring = new ShipRing(1 << 20, Clock.SYSTEM);
        RingRecords out = new RingRecords();
        ring.open(1, 1, 0);
        AtomicInteger ended = new AtomicInteger();
        boolean[] isDone = new boolean[rounds * 1_000];
        for (int round = 0; round < rounds; round++) {
            long first = round * 1_000L;
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                long mark = first + i * 200L;
                Thread thread = new Thread(null, () -> dive(ring, mark, new int[1], ended, isDone), "small stack",
                    256 << 10);
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            ring.drain(out, Long.MAX_VALUE);
            assertFalse(ring.hasMore(), "a record is neither committed nor left");
        }
        List<Long> marks = new ArrayList<>();
        for (int i = 0; i < out.of(1).size(); i++) {
            assertEquals(ZoneNumber.of(1, i + 1), out.of(1).get(i).number());
            marks.addAll(out.of(1).get(i).marks());
        }
        marks.sort(null);
        List<Long> committed = new ArrayList<>();
        for (int i = 0; i < isDone.length; i++) {
            if (isDone[i]) {
                committed.add((long) i);
            }
        }
        assertEquals(committed, marks);
        assertTrue(ended.get() > 0 && ring.abandonedCount() > 0, ended + " " + ring.abandonedCount());
    }

    /** Recurses until the stack ends, and makes changes on the way back. */
    @SuppressWarnings("InfiniteRecursion")
    private static void dive(ShipRing ring, long first, int[] count, AtomicInteger ended, boolean[] isDone) {
        try {
            dive(ring, first, count, ended, isDone);
        } catch (StackOverflowError e) {
            count[0] += 0;
        }
        int number = count[0];
        if (number < CHANGES) {
            count[0]++;
            try {
                change(ring, first + number);
                isDone[(int) first + number] = true;
            } catch (StackOverflowError e) {
                ended.incrementAndGet();
            }
        }
    }

    private static void change(ShipRing ring, long mark) {
        long[] left = ring.abandoned().places();
        long record = ring.claim(1, 1, 64);
        boolean isCommitted = false;
        try {
            RingRecords.write(ring, record, 1, 1, 64, mark);
            ring.commit(record, false);
            isCommitted = true;
        } finally {
            if (!isCommitted) {
                final long product = record * AbandonedRecords.SPREAD;
                int place = (int) ((product ^ product >>> Integer.SIZE) * AbandonedRecords.SPREAD
                    >>> AbandonedRecords.SHIFT) & AbandonedRecords.FIRST;
                while (left[place] != 0 && (place & AbandonedRecords.LAST) != AbandonedRecords.LAST) {
                    place++;
                }
                left[place] = record;
            }
        }
    }
}
