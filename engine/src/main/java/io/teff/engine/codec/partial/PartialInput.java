package io.teff.engine.codec.partial;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.bytes.CodecLimits;
import io.teff.engine.codec.bytes.Leb128;
import java.util.Arrays;
import java.util.Objects;

/**
 * The bytes of one value that arrives in windows. Collects the bytes of a field that a window's end cuts, and knows how
 * many bytes the value may still have.
 */
final class PartialInput {
    private static final int CAPACITY_MIN = 64;

    private final int bytesMax;
    private byte[] collected = new byte[CAPACITY_MIN];
    private int collectedCount;
    private final Input in = new Input(collected, 0, 0);
    private byte[] window = collected;
    private int position;
    private int end;
    private int readCount;
    private int emptyElements;

    /** Makes a source of values that have at most {@code bytesMax} bytes. */
    PartialInput(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Returns the number of elements without bytes read so far. */
    int emptyElements() {
        return emptyElements;
    }

    /** Sets the number of elements without bytes read so far, if another input read some of them. */
    void emptyElements(int count) {
        emptyElements = count;
    }

    /** Starts the next value, before which an outer value had this many elements without bytes. */
    void begin(int emptyElementsBefore) {
        collectedCount = 0;
        readCount = 0;
        emptyElements = emptyElementsBefore;
    }

    /** Continues with the next window. */
    void window(byte[] array, int from, int length) {
        Objects.checkFromIndexSize(from, length, array.length);
        window = array;
        position = from;
        end = from + length;
    }

    /** Returns the input over the bytes collected last; always the same object. */
    Input in() {
        return in;
    }

    /** Returns the index of the next byte in the window's array. */
    int position() {
        return position;
    }

    /** Returns the bytes left in the window. */
    int left() {
        return end - position;
    }

    /** Returns the bytes of the value read so far. */
    int readCount() {
        return readCount;
    }

    /** Copies bytes out of the window; it must have that many. */
    void take(byte[] target, int at, int count) {
        System.arraycopy(window, position, target, at, count);
        position += count;
        readCount += count;
    }

    /** Collects {@code count} bytes for {@link #in()}; returns false if the window ends before. */
    boolean collect(int count) {
        if (count - collectedCount > bytesMax - readCount) {
            throw tooLong();
        }
        append(Math.min(count - collectedCount, left()));
        return collectedCount == count && complete();
    }

    /** Collects a LEB128 number for {@link #in()}; returns false if the window ends before. */
    boolean collectVar() {
        while (left() > 0) {
            if (readCount == bytesMax) {
                throw tooLong();
            }
            append(1);
            if (collected[collectedCount - 1] >= 0 || collectedCount == Leb128.BYTES_MAX) {
                return complete();
            }
        }
        return false;
    }

    private boolean complete() {
        in.reset(collected, 0, collectedCount);
        collectedCount = 0;
        return true;
    }

    private void append(int count) {
        if (collectedCount + count > collected.length) {
            collected = Arrays.copyOf(collected, Math.max(collectedCount + count, collected.length * 2));
        }
        take(collected, collectedCount, count);
        collectedCount += count;
    }

    private MalformedException tooLong() {
        return new MalformedException(readCount, "a value of more than " + bytesMax + " bytes", null);
    }

    /**
     * Checks a number of elements, each of at least {@code bytesMin} bytes, against the bytes that may still arrive.
     */
    int checkCount(long count, int bytesMin) {
        long possible = bytesMin > 0 ? (bytesMax - readCount) / bytesMin
            : CodecLimits.EMPTY_ELEMENTS_MAX - emptyElements;
        if (count < 0 || count > possible) {
            throw in.malformed(Long.toUnsignedString(count) + " elements, but at most " + possible + " can follow");
        }
        emptyElements += bytesMin == 0 ? (int) count : 0;
        return (int) count;
    }

    /** Checks a number of elements of one bit each against the bytes that may still arrive. */
    int checkBits(long count) {
        if (count < 0 || count > (long) (bytesMax - readCount) * Byte.SIZE || count > Integer.MAX_VALUE - Byte.SIZE) {
            throw in.malformed(Long.toUnsignedString(count) + " elements of one bit, but at most "
                + (bytesMax - readCount) + " bytes can follow");
        }
        return (int) count;
    }
}
