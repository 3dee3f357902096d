package io.teff.engine.codec.partial;

import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.PartialReader;
import io.teff.engine.codec.type.TypeCodec;
import java.util.Objects;

/**
 * Reads values of a derived codec in windows. The state is a stack of the incomplete values with the parts read of
 * each, and the bytes of the one field that the last window cut. Only these bytes are read twice. Memory grows with the
 * bytes that have arrived, not with the counts they announce.
 *
 * @param <T> type of the values
 */
public final class StackReader<T> implements PartialReader<T> {
    private final Class<T> type;
    private final TypeCodec<Object> root;
    private final PartialInput source;
    private final ReaderStack stack;
    private final int levelsBefore;
    private final int emptyElementsBefore;

    /** Makes a reader of values that have at most {@code bytesMax} bytes. */
    public StackReader(Class<T> type, TypeCodec<Object> root, int bytesMax) {
        this(type, root, bytesMax, 0, 0);
    }

    /** Makes a reader of a value nested {@code levelsBefore} levels deep, with the empty elements counted before it. */
    StackReader(Class<T> type, TypeCodec<Object> root, int bytesMax, int levelsBefore, int emptyElementsBefore) {
        this.type = type;
        this.root = root;
        this.levelsBefore = levelsBefore;
        this.emptyElementsBefore = emptyElementsBefore;
        this.source = new PartialInput(bytesMax);
        this.stack = new ReaderStack(source);
        begin();
    }

    @Override
    public void begin() {
        source.begin(emptyElementsBefore);
        stack.begin(root, levelsBefore);
    }

    @Override
    public boolean isDone() {
        return stack.isDone();
    }

    @Override
    public T value() {
        if (!isDone()) {
            throw new IllegalStateException("the value is not complete after " + source.readCount() + " bytes");
        }
        return type.cast(Objects.requireNonNull(stack.value()));
    }

    @Override
    public int read(byte[] array, int from, int length) {
        source.window(array, from, length);
        try {
            stack.run();
        } catch (MalformedException e) {
            throw e.at(source.readCount());
        } catch (RuntimeException | StackOverflowError e) {     // of a constructor, or of hash codes of deep keys
            throw new MalformedException(source.readCount(), "values that " + type.getName() + " rejects", e);
        }
        return source.position() - from;
    }

    /** Returns the number of elements without bytes read so far. */
    int emptyElements() {
        return source.emptyElements();
    }
}
