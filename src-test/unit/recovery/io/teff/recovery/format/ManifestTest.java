package io.teff.recovery.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.recovery.format.ManifestRecord.Begun;
import io.teff.recovery.format.ManifestRecord.Closed;
import io.teff.recovery.format.ManifestRecord.CopyDropped;
import io.teff.recovery.format.ManifestRecord.Opened;
import io.teff.recovery.format.ManifestRecord.RingSynced;
import io.teff.recovery.format.ManifestRecord.SegmentMade;
import io.teff.recovery.format.ManifestRecord.SegmentSealed;
import io.teff.recovery.format.ManifestRecord.SegmentsReplaced;
import io.teff.recovery.format.ManifestRecord.Trimmed;
import io.teff.recovery.format.ManifestRecord.ZoneDropped;
import io.teff.recovery.format.ManifestRecord.ZoneMade;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Goal: a manifest returns what was written to it, and invalid records are refused. */
final class ManifestTest {
    private static final ZoneId ZONE = new ZoneId(7, 3);
    private static final ZoneId OTHER = new ZoneId(7, -1);
    private static final UUID BOOT = new UUID(1, 2);

    private static ManifestReader.Result read(ByteBuffer... parts) {
        MemorySegment file = Samples.nativeBytes(List.of(parts).stream().mapToInt(ByteBuffer::remaining).sum());
        ByteBuffer target = file.asByteBuffer();
        for (ByteBuffer part : parts) {
            target.put(part.duplicate());
        }
        return ManifestReader.read(file);
    }

    @Test
    void copyDropped_takesEarlierCopiesAndIsRemembered() {
        ManifestState state = new ManifestState();
        state.apply(ManifestSamples.BACKUP);
        List<ZoneId> gone = List.of(new ZoneId(7, ZoneId.ofCopy(0, 4095)), new ZoneId(7, ZoneId.ofCopy(2, 0)),
            new ZoneId(7, ZoneId.ofCopy(2, 9)));
        List<ZoneId> left = List.of(new ZoneId(6, ZoneId.ofCopy(1, 0)), new ZoneId(7, ZoneId.ofCopy(3, 0)));
        gone.forEach(zone -> state.apply(new ZoneMade(zone)));
        left.forEach(zone -> state.apply(new ZoneMade(zone)));
        state.apply(new SegmentMade(gone.getLast().segment(5)));
        assertEquals(gone, state.zonesUpTo(7, 2));
        state.apply(new CopyDropped(7, 2));
        state.apply(new CopyDropped(7, 1));
        ManifestState read = read(ManifestWriter.bytes(state)).state();
        for (ManifestState each : List.of(state, read)) {
            List<ZoneId> zones = new ArrayList<>();
            each.zones().forEach(zones::add);
            assertEquals(left, zones);
            assertEquals(Map.of(7, 2), each.droppedCopies());
            gone.forEach(zone -> assertNotNull(each.problem(new ZoneMade(zone))));
            assertNull(each.problem(new ZoneMade(new ZoneId(7, ZoneId.ofCopy(3, 1)))));
            assertNull(each.problem(new SegmentMade(left.getLast().segment(5))), "its number is free in the manifest");
            assertNotNull(each.problem(new CopyDropped(7, ZoneId.COPY_LIMIT)));
        }
        assertNotNull(ManifestSamples.state().problem(new CopyDropped(7, 2)), "a store has no copies");
    }

    @Property(tries = 200)
    void read_ofAnyState_isThatState(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ManifestState state = ManifestSamples.state();
        for (int i = random.nextInt(100); i > 0; i--) {
            state.apply(ManifestSamples.next(random, state));
        }
        ManifestReader.Result result = read(ManifestWriter.bytes(state));
        assertNull(result.damage());
        assertEquals(state.records(), result.state().records());
        assertEquals(state.nextSegment(), result.state().nextSegment());
    }

    @Test
    void apply_ofRecordsInTurn_isWhatTheyComeTo() {
        ManifestState state = ManifestSamples.state(new Opened(BOOT), new ZoneMade(ZONE), new ZoneMade(OTHER),
            new SegmentMade(ZONE.segment(1)), new SegmentMade(ZONE.segment(2)), new SegmentMade(OTHER.segment(5)),
            new SegmentSealed(ZONE.segment(2)), new Trimmed(9));
        assertEquals(ManifestSamples.LOG, state.log());
        assertEquals(Map.of(1L, false, 2L, true), state.segments(ZONE));
        assertEquals(Map.of(5L, false), state.segments(OTHER));
        assertEquals(Map.of(), state.segments(new ZoneId(1, 1)));
        assertEquals(6, state.nextSegment());
        assertEquals(9, state.firstFrame());
        assertEquals(BOOT, state.openedBoot());
        assertNull(state.closed());

        state.apply(new RingSynced());
        assertTrue(state.isRingSynced());
        state.apply(new SegmentsReplaced(ZONE, List.of(6L, 7L), List.of(1L, 2L)));
        state.apply(new ZoneDropped(OTHER));
        state.apply(new Closed(8, 100));
        assertEquals(Map.of(6L, true, 7L, true), state.segments(ZONE));
        assertEquals(8, state.nextSegment());
        assertEquals(new Closed(8, 100), state.closed());
        assertFalse(state.isRingSynced());
        assertNull(state.openedBoot());
        assertEquals(List.of(ManifestSamples.LOG, new ZoneMade(ZONE), new SegmentMade(ZONE.segment(6)),
            new SegmentSealed(ZONE.segment(6)), new SegmentMade(ZONE.segment(7)), new SegmentSealed(ZONE.segment(7)),
            new Trimmed(9), new Closed(8, 100), new Begun(8, 8)), state.records());
    }

    /** Also while the log is open, and when its manifest is replaced meanwhile. */
    @Test
    void lastNumber_isTheHighestOfAllTimes() {
        ManifestState state = ManifestSamples.state(new Opened(BOOT));
        assertEquals(0, state.lastNumber());
        state.apply(new Closed(8, 100));
        state.apply(new Opened(BOOT));
        state.apply(new RingSynced());
        assertEquals(100, state.lastNumber());
        ManifestState again = read(ManifestWriter.bytes(state)).state();
        assertEquals(100, again.lastNumber());
        assertEquals(BOOT, again.openedBoot());
        assertTrue(again.isRingSynced());
        assertThrows(IllegalArgumentException.class, () -> again.apply(new Closed(99, 99)));
        again.apply(new Closed(100, 7));
        assertEquals(100, again.lastNumber());
    }

    @Test
    void apply_ofWhatCannotBe_isRefusedAndChangesNothing() {
        ManifestState state = ManifestSamples.state(new Opened(BOOT), new ZoneMade(ZONE), new ZoneMade(OTHER),
            new SegmentMade(ZONE.segment(1)), new SegmentMade(OTHER.segment(2)), new SegmentSealed(ZONE.segment(1)),
            new Trimmed(9), new Begun(8, 3));
        List<ManifestRecord> before = state.records();
        for (ManifestRecord record : List.of(ManifestSamples.LOG, new ZoneMade(ZONE), new ZoneDropped(new ZoneId(1, 1)),
            new SegmentMade(ZONE.segment(1)), new SegmentMade(ZONE.segment(2)), new SegmentMade(ZONE.segment(-1)),
            new SegmentMade(ZONE.segment(Long.MAX_VALUE)),
            new SegmentMade(new SegmentId(1, 1, 5)), new SegmentSealed(ZONE.segment(1)),
            new SegmentSealed(ZONE.segment(2)), new SegmentSealed(ZONE.segment(9)), new Trimmed(8),
            new Closed(-8, 0), new Closed(0, -1), new Begun(8, 3), new Begun(9, 3),
            new SegmentsReplaced(new ZoneId(1, 1), List.of(), List.of()),
            new SegmentsReplaced(ZONE, List.of(1L), List.of()), new SegmentsReplaced(ZONE, List.of(2L), List.of()),
            new SegmentsReplaced(ZONE, List.of(5L, 5L), List.of()), new SegmentsReplaced(ZONE, List.of(), List.of(2L)),
            new SegmentsReplaced(ZONE, List.of(), List.of(1L, 1L)),
            new SegmentsReplaced(ZONE, List.of(), List.of(77L)))) {
            assertThrows(IllegalArgumentException.class, () -> state.apply(record), record.toString());
            assertEquals(before, state.records());
        }
        state.apply(new Closed(8, 1));
        assertThrows(IllegalArgumentException.class, () -> state.apply(new SegmentMade(ZONE.segment(9))));
        assertThrows(IllegalArgumentException.class, () -> state.apply(new Closed(8, 1)));
        assertThrows(IllegalArgumentException.class, () -> state.apply(new RingSynced()));
        state.apply(new Opened(BOOT));
        state.apply(new SegmentMade(ZONE.segment(9)));
    }

    @Test
    void apply_beforeTheFirstRecord_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> new ManifestState().apply(new Opened(BOOT)));
        assertThrows(IllegalArgumentException.class,
            () -> new ManifestState().apply(new ManifestRecord.Log(1, 2, 0, 0)));
        assertThrows(IllegalArgumentException.class,
            () -> new ManifestState().apply(new ManifestRecord.Log(1, 2, 4096, 1 << 16)));
        assertThrows(IllegalStateException.class, () -> new ManifestState().log());
    }

    @Test
    void read_ofRecordsThatCannotCome_isDamage() {
        ByteBuffer begin = ManifestWriter.bytes(ManifestSamples.state());
        ManifestReader.Result result = read(begin, ManifestWriter.bytes(new ZoneDropped(ZONE)));
        assertEquals(begin.remaining(), result.bytes());
        assertEquals("there is no zone 7:3", Objects.requireNonNull(result.damage()).why());
        assertNotNull(read().damage());
        assertNotNull(read(ManifestWriter.bytes(ManifestSamples.LOG)).damage());
        assertNull(read(begin, ByteBuffer.allocate(100)).damage());
    }

    @Test
    void bytes_ofTooManySegments_areRefused() {
        SegmentsReplaced most = new SegmentsReplaced(ZONE, Collections.nCopies(0xFFFF, 1L), List.of());
        assertTrue(ManifestWriter.bytes(most).remaining() > 8 * 0xFFFF);
        assertThrows(IllegalArgumentException.class, () -> ManifestWriter.bytes(
            new SegmentsReplaced(ZONE, List.of(), Collections.nCopies(0x1_0000, 1L))));
    }

    // ---- cost ----

    /** Returns the bytes of which checksums are taken to read a manifest with this garbage behind it. */
    private static long checkedBytes(byte[] garbage, boolean isInCopy) {
        ByteBuffer begin = ManifestWriter.bytes(ManifestSamples.state());
        MemorySegment whole = Samples.nativeBytes(begin.remaining() + garbage.length);
        whole.asByteBuffer().put(begin.duplicate()).put(garbage);
        MemorySegment other = whole.asSlice(0, begin.remaining());
        ManifestReader reader = isInCopy ? new ManifestReader(other, whole)
            : new ManifestReader(whole, MemorySegment.NULL);
        reader.read();
        return reader.checkedBytes();
    }

    /** Garbage costs a fixed number of checksums per byte, however much there is, whatever it claims to be. */
    @Test
    void read_ofGarbage_isLinear() {
        SplittableRandom random = new SplittableRandom(4);
        for (int size : new int[] {1 << 12, 1 << 16, 1 << 20, 1 << 22}) {
            byte[] noise = new byte[size];
            random.nextBytes(noise);
            byte[] claims = new byte[size];                     // each of 20 bytes claims to be the longest record
            ByteBuffer target = ByteBuffer.wrap(claims).order(ByteOrder.LITTLE_ENDIAN);
            int numbers = Math.min(0xFFFF, size / 64);
            while (target.remaining() >= 20) {
                target.putInt(7).putInt(10 + 16 * numbers).putShort((short) 6).putShort((short) 7).putInt(3)
                    .putShort((short) numbers).putShort((short) numbers);
            }
            for (byte[] garbage : List.of(noise, claims, new byte[size])) {
                for (boolean isInCopy : new boolean[] {false, true}) {
                    long checked = checkedBytes(garbage, isInCopy);
                    assertTrue(checked < 12L * size + 3_000_000, () -> "checked " + checked + " of " + size);
                }
            }
        }
    }
}
