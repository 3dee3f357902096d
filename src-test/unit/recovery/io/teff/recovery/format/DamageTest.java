package io.teff.recovery.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.recovery.format.FrameTest.Primary;
import io.teff.recovery.format.RingReader.End;
import io.teff.recovery.format.Samples.Ring;
import io.teff.recovery.format.Samples.Segment;
import io.teff.test.kit.Form;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: whatever happens to a file, a reader passes on only what was written, byte for byte and in order, throws
 * nothing, and reports missing data that was synced. Method: each flipped bit and each truncation of files of 64 KiB
 * (some of them in the short form), and random bytes over random parts.
 */
@Tag("heavy")
final class DamageTest {
    private static final int SIZE = 1 << 16;
    /** One of this number of bits is flipped; a prime, so that each bit of a byte is covered. */
    private static final int BIT_STEP = Form.size(101, 11, 3);
    private static final int CUT_STEP = Form.size(71, 7, 2);
    private static final int RANDOM_CASES = Form.size(300, 3000, 10_000);

    private final SplittableRandom random = new SplittableRandom(11);
    private String kind = "";
    private long at;
    private final Supplier<String> where = () -> kind + " " + at;

    /** Reads the damaged file, cut to a length, and checks the result. */
    @FunctionalInterface
    interface Reading {
        void check(long length);
    }

    @BeforeEach
    void undamaged() {
        kind = "undamaged";
    }

    private void damage(MemorySegment file, long from, Reading reading) {
        reading.check(file.byteSize());
        kind = "flipped bit";
        for (at = from * Byte.SIZE; at < file.byteSize() * Byte.SIZE; at += BIT_STEP) {
            Flips.flip(file, at);
            reading.check(file.byteSize());
            Flips.flip(file, at);
        }
        kind = "cut at";
        for (at = 0; at < file.byteSize(); at += CUT_STEP) {
            reading.check(at);
        }
        kind = "random bytes, case";
        byte[] saved = file.toArray(ValueLayout.JAVA_BYTE);
        for (at = 0; at < RANDOM_CASES; at++) {
            int begin = (int) from + random.nextInt((int) (file.byteSize() - from));
            int length = Math.min((int) file.byteSize() - begin, 1 + random.nextInt(1 << random.nextInt(14)));
            file.asSlice(begin, length).copyFrom(MemorySegment.ofArray(Samples.bytes(random, length)));
            reading.check(file.byteSize());
            file.copyFrom(MemorySegment.ofArray(saved));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void segment_damagedAnywhere_isReadAsFarAsItIsRight(boolean sealed) {
        Segment segment = Segment.of(random, SIZE, 1 << 13, sealed);
        MemorySegment file = Samples.nativeBytes(SIZE);
        file.copyFrom(MemorySegment.ofArray(segment.bytes()));
        SegmentReader reader = new SegmentReader(file);
        Expected expected = new Expected(segment.changes(), where);
        damage(file, 0, length -> {
            SegmentReport report = reader.read(length, Samples.HEAD, sealed, expected);
            int count = expected.count();
            assertEquals(report.entryCount(), count, where);
            if (sealed && count < segment.changes().size()) {
                assertTrue(!report.damage().isEmpty(), where);
            }
            assertTrue(!sealed || report.torn().isEmpty(), where);
            if (kind.equals("flipped bit")) {
                assertTrue(count >= segment.changes().size() * 4 / 5, where);
            }
            for (Damage damage : report.damage()) {
                assertTrue(damage.offset() >= 0 && damage.bytes() >= 0 && damage.offset() <= SIZE, where);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void ring_damagedAnywhere_showsWhatIsRight(End how) {
        Ring ring = new Ring(SIZE, SIZE + 16_000).fill(random, 200);
        MemorySegment file = ring.file;
        Expected expected = new Expected(ring.changes, where);
        RingReader[] readers = {new RingReader(file, Samples.SALT, SIZE)};
        damage(file, FileHead.BYTES, length -> {
            RingReader reader = length == file.byteSize() ? readers[0]
                : new RingReader(file.asSlice(0, length), Samples.SALT, SIZE);
            reader.read(ring.start, how, expected);
            assertTrue(how == End.KILLED || expected.isFromTheFirst(), where);
            int lost = ring.changes.size() - expected.count();
            if (how == End.KILLED && kind.equals("flipped bit")) {
                assertTrue(lost <= 4, where);
            }
        });
    }

    @Test
    void primary_damagedAnywhere_isReadFrameByFrame() {
        Primary primary = Primary.of(random, SIZE, FrameTest.FIRST, 100);
        int frames = primary.offsets().size();
        Expected expected = new Expected(primary.changes(), where);
        FrameReader[] readers = {new FrameReader(primary.file(), Samples.SALT)};
        damage(primary.file(), FileHead.BYTES, length -> {
            FrameReader reader = length == SIZE ? readers[0]
                : new FrameReader(primary.file().asSlice(0, length), Samples.SALT);
            FrameReader.End end = reader.read(FrameTest.FIRST, FrameTest.FIRST, expected);
            int whole = (int) reader.nextNumber() - FrameTest.FIRST;
            assertEquals(whole == frames ? primary.changes().size() : primary.changesBefore().get(whole),
                expected.count(), where);
            if (kind.equals("flipped bit") && whole < frames - 1) {
                assertEquals(FrameReader.End.DAMAGED, end, where);
            }
        });
    }

    @Test
    void manifest_damagedAnywhere_saysNothingWrong() {
        MemorySegment file = ManifestSamples.large(random);
        ManifestState[] states = ManifestSamples.states(file);
        ManifestState whole = states[(int) file.byteSize()];
        long last = ManifestSamples.lastRecordAt(file);
        damage(file, 0, length -> {
            ManifestReader.Result result = ManifestReader.read(file.asSlice(0, length));
            ManifestState expected = states[(int) result.bytes()];
            assertEquals(ManifestSamples.text(expected), ManifestSamples.text(result.state()), where);
            if (kind.equals("flipped bit")) {
                assertTrue(result.damage() != null || at / Byte.SIZE >= last, where);
            } else if (kind.equals("cut at")) {
                assertEquals(!ManifestSamples.isBegun(expected), result.damage() != null, where);
            } else if (kind.equals("undamaged")) {
                assertEquals(ManifestSamples.text(whole), ManifestSamples.text(result.state()), where);
            }
        });
    }
}
