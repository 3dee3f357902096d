package io.teff.test.net;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Random mutations of a node's bytes: bits, lengths, splices, cuts, insertions, repetitions. */
public final class Mutation {
    /** Frames begin at multiples of this; docs/PROTOCOL.md has the numbers. */
    private static final int ALIGNMENT = 8;
    private static final int FRAME_BYTES_MAX = 128 << 10;
    private static final int GREETING_BYTES_MAX = 4 << 10;

    private Mutation() {}

    /**
     * Mutates bytes at zero to three places.
     *
     * @param random the source of randomness
     * @param from the original bytes, which are not modified
     * @param other another valid sequence, for splices
     * @return the mutated bytes; equal bytes if no mutation was drawn
     */
    public static byte[] of(SplittableRandom random, byte[] from, byte[] other) {
        byte[] bytes = from.clone();
        for (int changes = random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
            final int at = random.nextInt(bytes.length);
            bytes = switch (random.nextInt(7)) {
                case 0 -> {
                    bytes[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
                    yield bytes;
                }
                case 1 -> Arrays.copyOf(bytes, at);
                case 2 -> splice(bytes, at, other, random.nextInt(other.length + 1), other.length);
                case 3 -> splice(bytes, at, bytes, random.nextInt(at + 1), bytes.length);
                case 4 -> {
                    final byte[] some = new byte[random.nextInt(1, 40)];
                    random.nextBytes(some);
                    yield insert(bytes, at, some);
                }
                case 5 -> {
                    final int word = at & -ALIGNMENT;
                    ByteBuffer.wrap(bytes, word, Math.min(Integer.BYTES, bytes.length - word))
                        .order(ByteOrder.LITTLE_ENDIAN).put(number(random), 0, Math.min(Integer.BYTES,
                            bytes.length - word));
                    yield bytes;
                }
                default -> insert(bytes, at & -ALIGNMENT, Arrays.copyOfRange(bytes, at & -ALIGNMENT,
                    Math.min(bytes.length, (at & -ALIGNMENT) + 8 * random.nextInt(1, 10))));
            };
        }
        return bytes;
    }

    /** Returns a number near an allowed limit. */
    private static byte[] number(SplittableRandom random) {
        final int[] some = {0, -1, 15, 16, 17, 23, 24, FRAME_BYTES_MAX, FRAME_BYTES_MAX + 1, Integer.MAX_VALUE,
            Integer.MIN_VALUE, GREETING_BYTES_MAX, random.nextInt(200), random.nextInt()};
        return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN)
            .putInt(some[random.nextInt(some.length)]).array();
    }

    private static byte[] splice(byte[] front, int until, byte[] back, int from, int end) {
        final byte[] all = Arrays.copyOf(front, until + end - from);
        System.arraycopy(back, from, all, until, end - from);
        return all;
    }

    private static byte[] insert(byte[] bytes, int at, byte[] some) {
        return splice(splice(bytes, at, some, 0, some.length), at + some.length, bytes, at, bytes.length);
    }
}
