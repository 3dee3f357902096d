package io.teff.engine.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bytes under way that come behind a number which says how many. */
abstract class BytesReading extends Reading {
    private static final int CAPACITY_MIN = 64;

    private boolean begun;
    private byte[] bytes = new byte[CAPACITY_MIN];
    private int count;
    private int needed;
    private @Nullable Object result;

    BytesReading(ReadStack stack) {
        super(stack);
    }

    /** Bytes to follow a header. */
    abstract int needed(long header);

    /** Makes the value of all bytes. */
    abstract Object make(byte[] all, int length);

    @Override
    Step step() {
        if (!begun) {
            if (!stack.pieces.collectVar()) {
                return Step.STARVED;
            }
            needed = needed(stack.in.getVar());
            begun = true;
        }
        int piece = Math.min(needed - count, stack.pieces.left());
        if (count + piece > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(needed, Math.max(count + piece, bytes.length * 2L)));
        }
        stack.pieces.take(bytes, count, piece);
        count += piece;
        if (count < needed) {
            return Step.STARVED;
        }
        result = make(bytes, count);
        return Step.DONE;
    }

    @Override
    final @Nullable Object result() {
        return result;
    }

    /** A string. */
    static final class OfString extends BytesReading {
        private boolean wide;

        OfString(ReadStack stack) {
            super(stack);
        }

        @Override
        int needed(long header) {
            wide = (header & 1) != 0;
            int length = stack.pieces.checkCount(header >>> 1, wide ? Character.BYTES : 1);
            return wide ? length * Character.BYTES : length;
        }

        @Override
        Object make(byte[] all, int length) {
            if (!wide) {
                return new String(all, 0, length, StandardCharsets.ISO_8859_1);
            }
            stack.in.reset(all, 0, length);
            return stack.in.getWide(length / Character.BYTES);
        }
    }

    /** An array of numbers. */
    static final class OfArray extends BytesReading {
        private final PrimitiveArrayPart part;

        OfArray(ReadStack stack, PrimitiveArrayPart part) {
            super(stack);
            this.part = part;
        }

        @Override
        int needed(long header) {
            return stack.pieces.checkCount(header, part.scalar().bytes()) * part.scalar().bytes();
        }

        @Override
        Object make(byte[] all, int length) {
            stack.in.reset(all, 0, length);
            return part.read(length / part.scalar().bytes(), stack.in);
        }
    }

    /** What a hand-written codec reads. */
    static final class OfCustom extends BytesReading {
        private final CustomPart part;

        OfCustom(ReadStack stack, CustomPart part) {
            super(stack);
            this.part = part;
        }

        @Override
        int needed(long header) {
            return stack.pieces.checkCount(header, 1);
        }

        @Override
        Object make(byte[] all, int length) {
            stack.in.reset(all, 0, length);
            stack.in.emptyElements(stack.pieces.emptyElements());
            Object value = part.read(length, stack.in);
            stack.pieces.emptyElements(stack.in.emptyElements());
            return value;
        }
    }
}
