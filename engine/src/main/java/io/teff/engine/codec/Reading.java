package io.teff.engine.codec;

import org.jspecify.annotations.Nullable;

/** Something that a {@link PartialReader} has under way, with what was read of it. Not thread-safe. */
abstract class Reading {
    /** What a step has come to. */
    enum Step {
        /** Bytes are missing. */
        STARVED,
        /** Something was done. */
        MORE,
        /** The value is there. */
        DONE
    }

    /** Where the bytes come from, and what is begun inside goes to. */
    final ReadStack stack;

    Reading(ReadStack stack) {
        this.stack = stack;
    }

    /** Uses bytes or begins something inside; {@link Step#DONE} when {@link #result} can be asked. */
    abstract Step step();

    /** What to do with a value that was begun inside. */
    void accept(@Nullable Object inner) {
        throw new AssertionError(getClass());
    }

    abstract @Nullable Object result();
}
