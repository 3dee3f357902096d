package io.teff.cluster.net.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/**
 * Goal: frames are decoded as written, in whatever pieces their bytes arrive; damaged input causes no exception but
 * {@link ProtocolException}, and no damaged frame with a checksum is passed on.
 *
 * <p>Method: random streams, cut at random; every bit of a stream of checked frames flipped.
 */
final class FrameInputTest {
    /** Records the decoded frames. */
    private static final class Shown implements FrameInput.Sink {
        private final List<byte[]> frames = new ArrayList<>();

        @Override
        public void frame(MemorySegment memory, long at) {
            keep(memory, at);
        }

        @Override
        public void control(MemorySegment memory, long at) throws ProtocolException {
            Control.check(memory, at);
            keep(memory, at);
        }

        private void keep(MemorySegment memory, long at) {
            frames.add(memory.asSlice(at, Frame.length(memory, at)).toArray(ValueLayout.JAVA_BYTE));
        }
    }

    /** Writes random frames one behind the other. */
    private static byte[] stream(SplittableRandom random, int count, boolean isChecked, List<byte[]> written) {
        final FrameChecker checker = new FrameChecker();
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        long position = 0;
        for (int i = 0; i < count; i++) {
            final boolean isControl = random.nextInt(4) == 0;
            final int[] kinds = {0, Frame.REQUEST, Frame.RESPONSE, Frame.RESPONSE | Frame.FAILED,
                Frame.FRAGMENT | Frame.LAST, Frame.SKIPPED, Frame.FRAGMENT | Frame.LAST | Frame.SKIPPED};
            final int flags = kinds[random.nextInt(kinds.length)];
            final int length = isControl ? Control.BYTES_MAX : Frame.headBytes(flags)
                + ((flags & ~Frame.FRAGMENT) == (Frame.LAST | Frame.SKIPPED) ? 0 : random.nextInt(100));
            final MemorySegment memory = Arena.ofAuto().allocate(Frame.taken(length), Frame.ALIGNMENT);
            if (isControl) {
                Control.putProgress(memory, 0, random.nextLong(), random.nextLong());
            } else {
                Frame.begin(memory, 0, random.nextInt(Frame.TYPE_MAX + 1),
                    flags == Frame.SKIPPED ? 0 : random.nextInt(Frame.LANE_MAX + 1), flags, random.nextLong());
                for (int at = Frame.headBytes(flags); at < length; at++) {
                    memory.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
                }
                Frame.commit(memory, 0, length, position);
                position += Frame.taken(length);
            }
            if (isChecked) {
                checker.add(memory, 0);
            }
            written.add(memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
            out.writeBytes(memory.toArray(ValueLayout.JAVA_BYTE));
        }
        return out.toByteArray();
    }

    @Property(tries = 300)
    void frames_inWhateverPieces(@ForAll @LongRange(min = 0, max = Long.MAX_VALUE - 1) long seed)
        throws ProtocolException {
        final SplittableRandom random = new SplittableRandom(seed);
        final List<byte[]> written = new ArrayList<>();
        final byte[] stream = stream(random, random.nextInt(1, 50), random.nextBoolean(), written);
        final Shown shown = new Shown();
        final FrameInput input = new FrameInput(new FrameChecker());
        final int longest = random.nextInt(1, 400);
        for (int from = 0; from < stream.length;) {
            final int bytes = Math.min(stream.length - from, random.nextInt(1, longest + 1));
            input.take(MemorySegment.ofArray(stream), from, bytes, shown);
            from += bytes;
        }
        assertEquals(written.size(), shown.frames.size());
        for (int i = 0; i < written.size(); i++) {
            assertArrayEquals(written.get(i), shown.frames.get(i));
        }
        assertEquals(0, input.partBytes());
    }

    @Test
    void turnedBits_areNeverShown() {
        final List<byte[]> written = new ArrayList<>();
        final byte[] stream = stream(new SplittableRandom(1), 20, true, written);
        for (int bit = 0; bit < stream.length * Byte.SIZE; bit++) {
            stream[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            final Shown shown = new Shown();
            boolean isFound = false;
            try {
                new FrameInput(new FrameChecker()).take(MemorySegment.ofArray(stream), 0, stream.length, shown);
            } catch (ProtocolException e) {
                isFound = true;
            }
            assertTrue(isFound || shown.frames.size() < written.size(), "bit " + bit);
            for (int i = 0; i < shown.frames.size(); i++) {
                assertArrayEquals(written.get(i), shown.frames.get(i), "bit " + bit);
            }
            stream[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        }
    }

    /** Delayed bytes of another frame can look like a frame without checksum. */
    @Test
    void framesWithoutChecksum_whereBothHaveThem_areRefused() throws ProtocolException {
        for (boolean isChecked : new boolean[] {true, false}) {
            final List<byte[]> written = new ArrayList<>();
            final byte[] stream = stream(new SplittableRandom(1), 20, isChecked, written);
            final Shown shown = new Shown();
            final FrameInput input = new FrameInput(new FrameChecker());
            input.setChecked(true);
            if (isChecked) {
                input.take(MemorySegment.ofArray(stream), 0, stream.length, shown);
                assertEquals(written.size(), shown.frames.size());
            } else {
                assertThrows(ProtocolException.class,
                    () -> input.take(MemorySegment.ofArray(stream), 0, stream.length, shown));
                assertEquals(0, shown.frames.size());
            }
        }
    }

    /**
     * Without checksums other bytes may be decoded, but nothing else is thrown, and no byte beyond the input is read.
     */
    @Property(tries = 2000)
    void damagedStreams_throwNothingElse(@ForAll @LongRange(min = 0, max = Long.MAX_VALUE - 1) long seed) {
        final SplittableRandom random = new SplittableRandom(seed);
        final byte[] stream = stream(random, random.nextInt(1, 8), false, new ArrayList<>());
        for (int faults = random.nextInt(1, 10); faults > 0; faults--) {
            stream[random.nextInt(stream.length)] = (byte) random.nextInt();
        }
        final Shown shown = new Shown();
        try {
            final FrameInput input = new FrameInput(new FrameChecker());
            final int half = random.nextInt(stream.length + 1);
            input.take(MemorySegment.ofArray(stream), 0, half, shown);
            input.take(MemorySegment.ofArray(stream), half, stream.length - half, shown);
            assertTrue(input.partBytes() <= stream.length);
        } catch (ProtocolException e) {
            assertTrue(String.valueOf(e.getMessage()).startsWith("a "), e.getMessage());
        }
    }

    @Test
    void lengthsThatNoFrameHas_areRefusedAtOnce() {
        for (int length : new int[] {Integer.MIN_VALUE, -1, 0, 15, Frame.BYTES_MAX + 1, Integer.MAX_VALUE}) {
            final byte[] head = new byte[Integer.BYTES];
            MemorySegment.ofArray(head).set(ValueLayout.JAVA_INT_UNALIGNED, 0, length);
            assertThrows(ProtocolException.class, () -> new FrameInput(new FrameChecker())
                .take(MemorySegment.ofArray(head), 0, head.length, new Shown()), "length " + length);
        }
    }

    /**
     * Garbage costs at most one checksum per byte, in whatever pieces it arrives: a frame is checked when all of it has
     * arrived, and the first one that is wrong ends the link.
     */
    @Test
    void take_ofGarbageInPieces_takesEachChecksumOnce() {
        final SplittableRandom random = new SplittableRandom(9);
        for (int round = 0; round < 200; round++) {
            final byte[] stream = stream(random, 20, true, new ArrayList<>());
            if (round % 2 == 0) {
                stream[random.nextInt(stream.length)] ^= 1;
            } else {
                final MemorySegment longest = MemorySegment.ofArray(stream);
                Bytes.putInt(longest, 0, Math.min(Frame.BYTES_MAX, 64 + random.nextInt(60_000)));
            }
            final FrameChecker checker = new FrameChecker();
            final FrameInput input = new FrameInput(checker);
            final int step = 1 + random.nextInt(40);
            int taken = 0;
            try {
                while (taken < stream.length) {
                    final int bytes = Math.min(step, stream.length - taken);
                    taken += bytes;
                    input.take(MemorySegment.ofArray(stream), taken - bytes, bytes, new Shown());
                }
            } catch (ProtocolException _) {
                assertThrows(ProtocolException.class,
                    () -> input.take(MemorySegment.ofArray(stream), 0, 8, new Shown()));
            }
            assertTrue(checker.summedBytes() <= taken, checker.summedBytes() + " of " + taken);
        }
    }
}
