package io.teff.bridge.jcache;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;

/**
 * Converts the keys or the values of a cache to bytes and back. Thread-safe.
 *
 * @param <T> type of the keys or values
 */
interface Form<T> {
    void write(T object, Output out);

    T read(Input in);
}
