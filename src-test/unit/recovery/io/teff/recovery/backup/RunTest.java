package io.teff.recovery.backup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.RunLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * Goal: a run is read as it was written, and bytes that are no run are refused without an exception, whatever they are.
 * Method: random runs; then every cut and every flipped bit, in memory that ends where the run ends, so that a read
 * beyond the end throws.
 */
final class RunTest {
    private static final int ZONE = 7;
    private static final long FIRST = TestRun.number(3, 41);

    private static TestRun sample() {
        return new TestRun(ZONE, List.of(
            new TestRun.Record(FIRST, List.of(TestRun.put(Cid.of(ZONE, 5), (byte) 1, (byte) 2, (byte) 3),
                TestRun.removed(Cid.of(ZONE, 6), FIRST - 1))),
            new TestRun.Record(FIRST + 1, List.of()),
            new TestRun.Record(FIRST + 2, List.of(new TestRun.Entry(Cid.of(ZONE, 2L << 40 | RunLayout.INDEX_MAX),
                EntryKind.PUT_READ_ONLY, ByteBuffer.wrap(new byte[8]), 0)))));
    }

    private static String check(byte[] bytes) {
        return new RunReader().check(MemorySegment.ofArray(bytes), 0, bytes.length, ZONE);
    }

    private static byte[] bytes(TestRun.Record... records) {
        return new TestRun(ZONE, List.of(records)).bytes();
    }

    private static void assertRefused(TestRun.Record... records) {
        assertNotNull(check(bytes(records)));
    }

    @Property(tries = 300)
    void read_ofAnyRun_returnsIt(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TestRun run = TestRun.random(random, ZONE, TestRun.number(random.nextInt(1 << 16), 1 + random.nextInt(9)),
            1 + random.nextInt(20), 1 + random.nextInt(300));
        byte[] bytes = run.bytes();
        int before = random.nextInt(3);
        MemorySegment memory = Arena.ofAuto().allocate(bytes.length + before + 5L);
        memory.asSlice(before).copyFrom(MemorySegment.ofArray(bytes));
        RunReader reader = new RunReader();
        assertNull(reader.check(memory, before, bytes.length, ZONE), () -> "reproduce: -Dseed=" + seed);
        assertEquals(run.records().getFirst().number(), reader.first());
        assertEquals(run.last(), reader.last());
        assertEquals(run.records().size(), reader.recordCount());
        assertEquals(run, TestRun.read(reader, memory, ZONE));
        reader.rewind();
        assertEquals(run, TestRun.read(reader, memory, ZONE));
    }

    /** The bytes of CLUSTER.md. */
    @Test
    void bytes_ofARun_areThoseOfThePage() {
        String hex = """
            2900000000000300 02000000 38000000      // number 3:41, entries, bytes of these
            0500000000000700 01 000000 03000000 0000000000000000 010203 0000000000
            0600000000000700 03 000000 00000000 2800000000000300
            2a00000000000300 00000000 00000000
            2b00000000000300 01000000 20000000
            ffffffff00020700 02 000000 08000000 0000000000000000 0000000000000000
            """;
        assertArrayEquals(HexFormat.of().parseHex(hex.replaceAll("//[^\n]*|\\s", "")), sample().bytes());
    }

    @Test
    void recordBytesMax_ofAnyRecord_isEnough() {
        for (int length = 0; length < 20; length++) {
            byte[] record = bytes(new TestRun.Record(FIRST, List.of(TestRun.put(Cid.of(ZONE, 1), new byte[length]),
                TestRun.put(Cid.of(ZONE, 2), new byte[1]))));
            assertTrue(record.length <= RunWriter.recordBytesMax(2, length + 1L));
            assertEquals(record.length, RunLayout.RECORD_BYTES + RunWriter.entryBytes(length)
                + RunWriter.entryBytes(1));
            assertEquals(0, RunWriter.recordBytesMax(2, length) % RunLayout.ALIGNMENT);
        }
    }

    @Test
    void check_ofTheLongestContent_accepts() {
        byte[] longest = bytes(new TestRun.Record(FIRST, List.of(TestRun.put(Cid.of(ZONE, 1),
            new byte[RunWriter.CONTENT_BYTES_MAX]))));
        assertNull(check(longest));
        assertTrue(longest.length <= RunWriter.RUN_BYTES_MAX);
        assertRefused(new TestRun.Record(FIRST, List.of(TestRun.put(Cid.of(ZONE, 1),
            new byte[RunWriter.CONTENT_BYTES_MAX + 1]))));
        assertRefused(new TestRun.Record(FIRST, List.of(TestRun.put(Cid.of(ZONE, 1), new byte[1 << 19]),
            TestRun.put(Cid.of(ZONE, 2), new byte[1 << 19]), TestRun.put(Cid.of(ZONE, 3), new byte[1 << 16]))));
    }

    // ---- hostile bytes ----

    @Test
    void check_ofEveryCut_refuses() {
        byte[] bytes = sample().bytes();
        int afterFirst = RunLayout.RECORD_BYTES + 56;
        List<Integer> whole = List.of(afterFirst, afterFirst + RunLayout.RECORD_BYTES);
        for (int length = 0; length < bytes.length; length++) {
            String problem = check(Arrays.copyOf(bytes, length));
            assertEquals(!whole.contains(length), problem != null, length + " bytes: " + problem);
        }
        for (int from = 1; from < bytes.length; from++) {
            if (!whole.contains(from)) {
                assertNotNull(check(Arrays.copyOfRange(bytes, from, bytes.length)), "from " + from);
            }
        }
    }

    /**
     * A flipped bit is refused, unless it changes one possible value to another: an index or a generation, a content, a
     * put to one of a read-only chunk, the number of a removal, an epoch where nothing before or behind shows it, or a
     * length by zeros that could be padding.
     */
    @Test
    void check_ofEveryFlip_refusesOrReadsAnotherValue() {
        byte[] bytes = sample().bytes();
        TestRun original = sample();
        int accepted = 0;
        for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
            byte[] flipped = bytes.clone();
            flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            RunReader reader = new RunReader();
            MemorySegment memory = MemorySegment.ofArray(flipped);
            if (reader.check(memory, 0, flipped.length, ZONE) == null) {
                accepted++;
                TestRun read = TestRun.read(reader, memory, ZONE);
                assertEquals(shape(original), shape(read), "bit " + bit);
                assertFalse(original.equals(read), "bit " + bit + " was not read");
            }
        }
        int indexBits = 3 * (32 + 8);
        int contentBits = (3 + 8) * Byte.SIZE;
        int lowerNumbers = Long.SIZE;
        assertTrue(accepted <= indexBits + contentBits + lowerNumbers + 2 * 16 + 6, accepted + " flips are accepted");
    }

    /** Returns the counters of a run, and bytes and creators of its entries. */
    private static List<List<Long>> shape(TestRun run) {
        return run.records().stream().map(record -> LongStream.concat(
            LongStream.of(RunLayout.counter(record.number())),
            record.entries().stream().flatMapToLong(entry ->
                LongStream.of(RunWriter.entryBytes(entry.length()), Cid.nid(entry.cid())))).boxed().toList()).toList();
    }

    /** Random bytes, and runs with random bytes in random places: no exception, and nothing is read behind the end. */
    @Property(tries = 3000)
    void check_ofAnyBytes_throwsNothing(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] bytes = random.nextInt(4) == 0 ? new byte[random.nextInt(200)]
            : TestRun.random(random, ZONE, FIRST, 1 + random.nextInt(5), 40).bytes();
        for (int change = random.nextInt(8); change > 0 && bytes.length > 0; change--) {
            int at = random.nextInt(bytes.length);
            int value = random.nextInt(3) == 0 ? 0xFF : random.nextInt(256);
            Arrays.fill(bytes, at, Math.min(bytes.length, at + 1 + random.nextInt(8)), (byte) value);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(Math.max(1, bytes.length)).asSlice(0, bytes.length);
            memory.copyFrom(MemorySegment.ofArray(bytes));
            RunReader reader = new RunReader();
            if (reader.check(memory, 0, bytes.length, ZONE) == null) {
                assertArrayEquals(bytes, TestRun.read(reader, memory, ZONE).bytes());
            } else {
                assertEquals(0, reader.recordCount());
                assertThrows(IllegalStateException.class, reader::nextRecord);
            }
        }
    }

    @Test
    void check_outsideOfTheMemory_refuses() {
        byte[] bytes = sample().bytes();
        MemorySegment memory = MemorySegment.ofArray(bytes);
        for (long[] range : new long[][] {{-8, 16}, {0, -8}, {8, bytes.length}, {Long.MAX_VALUE, 8},
            {8, Long.MAX_VALUE}, {Long.MIN_VALUE, Long.MIN_VALUE}, {bytes.length, 8}}) {
            assertNotNull(new RunReader().check(memory, range[0], range[1], ZONE));
        }
    }

    @Test
    void check_ofNumbers_refusesGapsAndSteps() {
        TestRun.Record first = new TestRun.Record(FIRST, List.of());
        assertNull(check(bytes(first, new TestRun.Record(TestRun.number(4, 42), List.of()))));
        assertNull(check(bytes(new TestRun.Record(TestRun.number(0xFFFF, 41), List.of()))));
        assertNull(check(bytes(new TestRun.Record(TestRun.number(0x7FFF, 41), List.of()),
            new TestRun.Record(TestRun.number(0x8000, 42), List.of()))));
        assertRefused(first, new TestRun.Record(FIRST, List.of()));
        assertRefused(first, new TestRun.Record(FIRST + 2, List.of()));
        assertRefused(first, new TestRun.Record(FIRST - 1, List.of()));
        assertRefused(first, new TestRun.Record(TestRun.number(2, 42), List.of()));
        assertRefused(new TestRun.Record(0, List.of()));
        assertRefused(new TestRun.Record(TestRun.number(3, 0), List.of()));
        assertRefused(new TestRun.Record(TestRun.number(0xFFFF, 41), List.of()),
            new TestRun.Record(TestRun.number(1, 42), List.of()));
    }

    @Test
    void check_ofEntries_refusesWhatNoZoneHas() {
        long cid = Cid.of(ZONE, 1);
        assertNull(check(bytes(record(TestRun.removed(cid, 1)))));
        assertRefused(record(TestRun.removed(cid, FIRST)));
        assertRefused(record(TestRun.removed(cid, FIRST + 1)));
        assertRefused(record(TestRun.removed(cid, -1)));
        assertRefused(record(new TestRun.Entry(cid, EntryKind.PUT, ByteBuffer.allocate(0), FIRST - 1)));
        assertRefused(record(new TestRun.Entry(cid, EntryKind.LINK, ByteBuffer.allocate(100), 0)));
        assertRefused(record(new TestRun.Entry(cid, 0, ByteBuffer.allocate(0), 0)));
        assertRefused(record(new TestRun.Entry(cid, EntryKind.RESERVED, ByteBuffer.allocate(8), 0)));
        assertRefused(record(TestRun.put(Cid.of(ZONE + 1, 1))));
        assertRefused(record(TestRun.put(Cid.of(ZONE, 1L << 32))));
        assertRefused(record(TestRun.put(-1)));
    }

    private static TestRun.Record record(TestRun.Entry entry) {
        return new TestRun.Record(FIRST, List.of(entry));
    }

    @Test
    void zoneCopy_outOfRange_isRefused() {
        assertEquals("7.3", new ZoneCopy(7, 3).toString());
        assertThrows(IllegalArgumentException.class, () -> new ZoneCopy(-1, 0));
        assertThrows(IllegalArgumentException.class, () -> new ZoneCopy(Cid.NID_MAX + 1, 0));
        assertThrows(IllegalArgumentException.class, () -> new ZoneCopy(0, -1));
        assertThrows(IllegalArgumentException.class, () -> new ZoneCopy(0, ZoneCopy.COPY_MAX + 1));
    }
}
