package io.teff.engine.codec;

import java.util.Arrays;
import java.util.Objects;

/**
 * The bytes of a value that arrives in windows: collects those of one field that is cut, and knows how many may still
 * come.
 */
final class Pieces {
    private static final int VAR_BYTES_MAX = 10;
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

    Pieces(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Elements without bytes that were read so far. */
    int emptyElements() {
        return emptyElements;
    }

    /** Counts those that were read elsewhere, too. */
    void emptyElements(int count) {
        emptyElements = count;
    }

    /** Forgets everything: the next value begins. */
    void begin(int emptyElementsBefore) {
        collectedCount = 0;
        readCount = 0;
        emptyElements = emptyElementsBefore;
    }

    /** Goes on in a window. */
    void window(byte[] array, int from, int length) {
        Objects.checkFromIndexSize(from, length, array.length);
        window = array;
        position = from;
        end = from + length;
    }

    /** Over what was collected. */
    Input in() {
        return in;
    }

    /** Index in the window of the next byte. */
    int position() {
        return position;
    }

    /** Bytes that are left in the window. */
    int left() {
        return end - position;
    }

    /** Bytes of the value that were read so far. */
    int readCount() {
        return readCount;
    }

    /** Takes bytes out of the window. */
    void take(byte[] target, int at, int count) {
        System.arraycopy(window, position, target, at, count);
        position += count;
        readCount += count;
    }

    /** Collects so many bytes for {@link #in}; false if they are not all there yet. */
    boolean collect(int count) {
        if (count - collectedCount > bytesMax - readCount) {
            throw tooLong();
        }
        append(Math.min(count - collectedCount, left()));
        return collectedCount == count && complete();
    }

    /** Collects a number of LEB128. */
    boolean collectVar() {
        while (left() > 0) {
            if (readCount == bytesMax) {
                throw tooLong();
            }
            append(1);
            if (collected[collectedCount - 1] >= 0 || collectedCount == VAR_BYTES_MAX) {
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

    /** Checks a count by the bytes that may still come. */
    int checkCount(long count, int bytesMin) {
        long possible = bytesMin > 0 ? (bytesMax - readCount) / bytesMin : Input.EMPTY_ELEMENTS_MAX - emptyElements;
        if (count < 0 || count > possible) {
            throw in.malformed(Long.toUnsignedString(count) + " elements, but at most " + possible + " can follow");
        }
        emptyElements += bytesMin == 0 ? (int) count : 0;
        return (int) count;
    }

    /** Checks a count of bits by the bytes that may still come. */
    int checkBits(long count) {
        if (count < 0 || count > (long) (bytesMax - readCount) * Byte.SIZE || count > Integer.MAX_VALUE - Byte.SIZE) {
            throw in.malformed(Long.toUnsignedString(count) + " elements, but " + (bytesMax - readCount)
                + " bytes can follow");
        }
        return (int) count;
    }
}
