package io.teff.engine.codec.partial;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.type.TypeCodec;

/** Surroundings of a {@link TypeReader}: its source of bytes, and the stack on which it starts nested values. */
abstract class ReadContext {
    /** Bytes of the value, window by window. */
    final PartialInput source;
    /** Input over the bytes that {@link #source} collected last. */
    final Input in;

    ReadContext(PartialInput source) {
        this.source = source;
        this.in = source.in();
    }

    /** Starts a value nested in the innermost incomplete one. */
    abstract void start(TypeCodec<Object> codec);

    /** Leaves one level of values nested in values of their own type. */
    abstract void leaveLevel();
}
