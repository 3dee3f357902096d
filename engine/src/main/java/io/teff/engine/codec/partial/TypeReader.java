package io.teff.engine.codec.partial;

import org.jspecify.annotations.Nullable;

/** An incomplete value on the stack of a {@link StackReader}, with the parts read so far. Not thread-safe. */
abstract class TypeReader {
    /** Outcome of a step. */
    enum Step {
        /** Bytes are missing; the same step is repeated with the next window. */
        STARVED,
        /** Something was read, or a nested value was started. */
        MORE,
        /** The value is complete. */
        DONE
    }

    final ReadContext context;

    TypeReader(ReadContext context) {
        this.context = context;
    }

    /** Reads some bytes or starts a nested value; after {@link Step#DONE} the {@link #result} is available. */
    abstract Step step();

    /** Takes over a nested value that this reader started and that is complete now. */
    void accept(@Nullable Object nested) {
        throw new AssertionError(getClass());
    }

    /** Returns the complete value. */
    abstract @Nullable Object result();
}
