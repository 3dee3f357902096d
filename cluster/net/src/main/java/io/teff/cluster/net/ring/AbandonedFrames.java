package io.teff.cluster.net.ring;

import io.teff.cluster.net.wire.Frame;

/**
 * Claimed and never committed frames of a ring, left to the agent by their threads. A thread whose stack has ended can
 * make no call, enter no monitor, resolve no class and allocate no array. So the thread leaves the frame by two stores,
 * to objects fetched before:
 * <pre>{@code
 * left.marks[(int) (position >>> AbandonedFrames.SHIFT) & left.mask] =
 *     (int) (position >>> left.lapShift) << AbandonedFrames.UNIT_BITS | units;
 * left.hasAny = true;
 * }</pre>
 * <pre>
 *  31                                    15 14                              0
 * +----------------------------------------+---------------------------------+
 * |  lap (17): position / capacity          |  units (15): bytes taken / 8     |
 * +----------------------------------------+---------------------------------+
 * </pre>
 *
 * <p><b>Places.</b> No frame is shorter than a frame's head, so each frame of the ring has a place of its own: as many
 * stacks may end at once as there are frames.
 *
 * <p><b>Laps.</b> A stack may also end when the commit has been stored and has not returned. Then the mark stays, and
 * must not be taken for a mark of a later frame at this place, while a different thread is writing the later frame: the
 * lap distinguishes the two frames for the next 131,071 laps.
 *
 * <p><b>Order.</b> The second store is volatile. So an agent that sees the mark also sees everything written to the
 * frame by the thread, and none of those bytes overwrites the head of the skipped frame.
 */
final class AbandonedFrames {
    /** Binary logarithm of the shortest frame: two frames in the ring have different places. */
    static final int SHIFT = Integer.numberOfTrailingZeros(Frame.HEAD_BYTES);
    /** Bits of the length of a frame, in units of its alignment. */
    static final int UNIT_BITS = 15;

    private static final int UNIT_SHIFT = Integer.numberOfTrailingZeros(Frame.ALIGNMENT);
    private static final int UNITS_MASK = (1 << UNIT_BITS) - 1;

    static {
        assert Integer.bitCount(Frame.HEAD_BYTES) == 1 && Frame.BYTES_MAX >>> UNIT_SHIFT <= UNITS_MASK
            : "what a frame occupies must fit";
    }

    /** Marks by place; 0 where no frame was left. */
    final int[] marks;
    /** Selects a place. */
    final int mask;
    /** Binary logarithm of the ring's capacity. */
    final int lapShift;
    /** Whether a frame was left, now or before. */
    volatile boolean hasAny;

    /**
     * Makes an empty list.
     *
     * @param capacity of the ring, a power of two
     */
    AbandonedFrames(int capacity) {
        marks = new int[capacity >>> SHIFT];
        mask = marks.length - 1;
        lapShift = Integer.numberOfTrailingZeros(capacity);
    }

    /** Returns the occupied length of a frame as stored in its mark. */
    static int units(int length) {
        return Frame.taken(length) >>> UNIT_SHIFT;
    }

    /**
     * Returns the bytes occupied by an abandoned frame; 0 if the frame is not abandoned. By the agent, for an
     * uncommitted frame.
     */
    int bytes(long position) {
        if (!hasAny) {
            return 0;
        }
        final int mark = marks[(int) (position >>> SHIFT) & mask];
        final int units = mark & UNITS_MASK;
        return mark == ((int) (position >>> lapShift) << UNIT_BITS | units) ? units << UNIT_SHIFT : 0;
    }
}
