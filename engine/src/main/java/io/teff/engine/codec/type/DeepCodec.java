package io.teff.engine.codec.type;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;

/**
 * Writes and reads values that are nested more deeply than generated code may call itself: with a stack on the heap
 * instead of the thread's.
 */
public interface DeepCodec {
    /** Writes a value that is nested {@code level} levels deep in values of its own type. */
    void write(TypeCodec<Object> codec, Object value, int level, Output out);

    /** Reads a value that is nested {@code level} levels deep in values of its own type. */
    Object read(TypeCodec<Object> codec, int level, Input in);
}
