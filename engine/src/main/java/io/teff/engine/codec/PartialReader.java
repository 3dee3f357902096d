package io.teff.engine.codec;

import java.util.Objects;

/**
 * Reads a value from pieces: each call uses up a window, the next goes on behind it, whatever byte of whatever field it
 * was. No byte is looked at twice but those of one field that is cut.
 *
 * <p>The state is a stack of what is under way, with what was read of it, and the bytes of the one field that is cut.
 * Memory grows with what arrives, not with what is announced. Not thread-safe.
 *
 * @param <T> type of the values
 */
public final class PartialReader<T> {
    private final Class<T> type;
    private final Part<Object> root;
    private final Pieces pieces;
    /** What is under way. */
    private final ReadStack stack;
    private final int levelsBefore;
    private final int emptyElementsBefore;

    PartialReader(Class<T> type, Part<Object> root, int bytesMax) {
        this(type, root, bytesMax, 0, 0);
    }

    /** Of a value so many levels deep in another, of which so many elements without bytes were read before. */
    PartialReader(Class<T> type, Part<Object> root, int bytesMax, int levelsBefore, int emptyElementsBefore) {
        this.type = type;
        this.root = root;
        this.levelsBefore = levelsBefore;
        this.emptyElementsBefore = emptyElementsBefore;
        this.pieces = new Pieces(bytesMax);
        this.stack = new ReadStack(pieces);
        begin();
    }

    /** Begins with the next value; what was read of the one before is forgotten. */
    public void begin() {
        pieces.begin(emptyElementsBefore);
        stack.begin(root, levelsBefore);
    }

    /**
     * Tells whether the value is complete.
     *
     * @return whether {@link #value()} may be called
     */
    public boolean isDone() {
        return stack.isDone();
    }

    /**
     * The value, when all its bytes were read.
     *
     * @return it
     * @throws IllegalStateException if it is not complete
     */
    public T value() {
        if (!isDone()) {
            throw new IllegalStateException("the value is not complete after " + pieces.readCount() + " bytes");
        }
        return type.cast(Objects.requireNonNull(stack.value()));
    }

    /**
     * Reads the next bytes.
     *
     * @param array where they are
     * @param from first index
     * @param length how many there are
     * @return bytes that were used: all of them, or those up to the end of the value
     * @throws MalformedException if these are not the bytes of such a value
     */
    public int read(byte[] array, int from, int length) {
        pieces.window(array, from, length);
        try {
            stack.run();
        } catch (MalformedException e) {
            throw e.at(pieces.readCount());
        } catch (RuntimeException | StackOverflowError e) {     // hash codes of deep keys
            throw new MalformedException(pieces.readCount(), "values that " + type.getName() + " refuses", e);
        }
        return pieces.position() - from;
    }

    /** Elements without bytes that were read so far. */
    int emptyElements() {
        return pieces.emptyElements();
    }
}
