package io.teff.cluster.net.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: the pool's count equals the allocated bytes and never exceeds the limit; a lack of memory is a result, not an
 * error.
 */
final class RingPoolTest {
    private static final int SMALL = 1 << 16;
    private static final int LARGE = 1 << 19;
    private static final int SMALL_BYTES = SendRing.bytes(SMALL);
    private static final int LARGE_BYTES = SendRing.bytes(LARGE);
    private static final int COUNT = 16;
    private static final long SECOND = 1_000_000_000;

    private final List<MemorySegment> made = new ArrayList<>();
    private int asked;
    /** The memory that the system can provide. */
    private long systemBytes = Long.MAX_VALUE;
    private long nowNs = Long.MAX_VALUE - SECOND;
    /** Time between two readings of the clock. */
    private long stepNs;
    private RingPool pool = new RingPool(0, () -> 0);

    private void open(long bytesMax) {
        pool = new RingPool(bytesMax, () -> nowNs += stepNs, this::allocate);
    }

    private MemorySegment allocate(Arena arena, long bytes) {
        asked++;
        if (thereAre() + bytes > systemBytes) {
            throw new OutOfMemoryError("planned");
        }
        made.add(arena.allocate(bytes, Long.BYTES));
        return made.getLast();
    }

    private long thereAre() {
        return made.stream().filter(it -> it.scope().isAlive()).mapToLong(MemorySegment::byteSize).sum();
    }

    private List<MemorySegment> take(int count, int capacity) {
        final List<MemorySegment> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(Objects.requireNonNull(pool.take(capacity)));
        }
        return all;
    }

    @AfterEach
    void audit() {
        assertEquals(thereAre(), pool.allocatedBytes());
        pool.audit();
        pool.close();
        pool.audit();
        assertEquals(0, thereAre());
        assertNull(pool.take(SMALL));
    }

    @Test
    void take_othersAreSpare_dropsThem() {
        open(COUNT * SMALL_BYTES);
        take(COUNT, SMALL).forEach(it -> pool.giveBack(it, SMALL));
        assertEquals(COUNT * SMALL_BYTES, thereAre());
        take(2, LARGE);
        assertEquals(2 * LARGE_BYTES, thereAre());
        assertNull(pool.take(SMALL), "more than is allowed");
        assertEquals(2 * LARGE_BYTES, pool.takenBytes());
    }

    @Test
    void take_aboveTheLimit_keepsSpareRings() {
        open(COUNT * SMALL_BYTES);
        final List<MemorySegment> all = take(COUNT, SMALL);
        pool.giveBack(all.getFirst(), SMALL);
        assertNull(pool.take(LARGE));
        assertEquals(COUNT * SMALL_BYTES, thereAre());
        assertNotNull(pool.take(SMALL));
    }

    /** The JDK takes half a second to report the lack of memory: that must not happen for each caller. */
    @Test
    void take_theSystemHasNoMore_isNull() {
        systemBytes = 2L * SMALL_BYTES;
        open(COUNT * SMALL_BYTES);
        final List<MemorySegment> all = take(2, SMALL);
        for (int i = 0; i < COUNT; i++) {
            assertNull(pool.take(SMALL));
        }
        assertEquals(3, asked);
        assertEquals(2 * SMALL_BYTES, pool.takenBytes());
        pool.giveBack(all.getFirst(), SMALL);
        assertEquals(all.getFirst(), pool.take(SMALL));
        systemBytes = 3L * SMALL_BYTES;
        nowNs += 3 * SECOND;
        assertNotNull(pool.take(SMALL));
        assertEquals(4, asked);
    }

    @Test
    void take_withoutMemoryOfTheSystem_freesSpareRings() {
        systemBytes = 2L * LARGE_BYTES;
        open(Long.MAX_VALUE / 2);
        take(2 * LARGE / SMALL, SMALL).forEach(it -> pool.giveBack(it, SMALL));
        assertNotNull(pool.take(LARGE));
        assertNotNull(pool.take(LARGE));
        assertNull(pool.take(LARGE));
        assertEquals(2 * LARGE_BYTES, thereAre());
    }

    @Test
    void trim_ofSpareRings_freesAFewAtATime() {
        open(Long.MAX_VALUE / 2);
        final List<MemorySegment> all = take(COUNT * COUNT, SMALL);
        waitAndTrim();
        assertEquals(COUNT * COUNT * SMALL_BYTES, thereAre());
        all.forEach(it -> pool.giveBack(it, SMALL));
        assertEquals(COUNT * COUNT * SMALL_BYTES, pool.allocatedBytes(), "whoever gives back does not wait");
        pool.trim();
        waitAndTrim();
        assertEquals(COUNT * COUNT * SMALL_BYTES, thereAre(), "some was in use until a moment ago");
        waitAndTrim();
        long before = (long) COUNT * COUNT * SMALL_BYTES;
        assertTrue(thereAre() < before && thereAre() > before / 2, "at once: " + (before - thereAre()));
        while (pool.trim() == 0) {
            assertTrue(thereAre() < before);
            before = thereAre();
        }
        assertEquals(0, thereAre());
    }

    /** A ring that is repeatedly taken and returned is in use, even if it is spare at each check. */
    @Test
    void trim_someIsNeeded_keepsThatMuch() {
        open(Long.MAX_VALUE / 2);
        take(COUNT, SMALL).forEach(it -> pool.giveBack(it, SMALL));
        take(1, LARGE).forEach(it -> pool.giveBack(it, LARGE));
        for (int i = 0; i < COUNT; i++) {
            waitAndTrim();
            take(3, SMALL).forEach(it -> pool.giveBack(it, SMALL));
        }
        assertEquals(3 * SMALL_BYTES, thereAre());
        assertEquals(COUNT + 1, asked);
        take(2, SMALL);
        waitAndTrim();
        waitAndTrim();
        assertEquals(2 * SMALL_BYTES, thereAre());
    }

    /** With thousands of threads each release takes milliseconds, in which the agent does nothing else. */
    @Test
    void trim_endsTakeLong_isATwentiethOfTheTime() {
        open(Long.MAX_VALUE / 2);
        take(COUNT, SMALL).forEach(it -> pool.giveBack(it, SMALL));
        waitAndTrim();
        nowNs += 5 * SECOND;
        for (int i = 1; i < COUNT; i++) {
            stepNs = SECOND / 1000;
            assertEquals(20 * SECOND / 1000, pool.trim());
            assertEquals((COUNT - i) * SMALL_BYTES, thereAre());
            stepNs = 0;
            nowNs += 18 * SECOND / 1000;
            assertEquals(SECOND / 1000, pool.trim());
            assertEquals((COUNT - i) * SMALL_BYTES, thereAre(), "it has no pause");
            nowNs += SECOND / 1000;
        }
        assertEquals(Long.MAX_VALUE, pool.trim());
        assertEquals(0, thereAre());
    }

    /** A spare ring is taken again while it is being released. */
    @Test
    void take_duringATrim_keepsTheRing() {
        open(Long.MAX_VALUE / 2);
        take(3 * COUNT, SMALL).forEach(it -> pool.giveBack(it, SMALL));
        waitAndTrim();
        waitAndTrim();
        final long there = thereAre();
        assertTrue(there > COUNT * SMALL_BYTES);
        final List<MemorySegment> all = take((int) (there / SMALL_BYTES) - 1, SMALL);
        pool.trim();
        pool.trim();
        assertEquals(there - SMALL_BYTES, thereAre());
        assertTrue(all.stream().allMatch(it -> it.scope().isAlive()));
    }

    private void waitAndTrim() {
        nowNs += 5 * SECOND;
        pool.trim();
    }

    @Test
    void close_endsAlsoWhatIsInUse() {
        open(COUNT * SMALL_BYTES);
        final List<MemorySegment> all = take(2, SMALL);
        pool.close();
        assertEquals(0, thereAre());
        assertEquals(0, pool.allocatedBytes());
        assertEquals(2 * SMALL_BYTES, pool.takenBytes());
        all.forEach(it -> pool.giveBack(it, SMALL));
        assertEquals(0, pool.takenBytes());
        assertNull(pool.take(SMALL));
    }
}
