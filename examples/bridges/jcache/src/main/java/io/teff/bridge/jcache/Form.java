package io.teff.bridge.jcache;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;

/**
 * How the keys or the values of a cache become bytes and back. Thread-safe.
 *
 * @param <T> their type
 */
interface Form<T> {
    void write(T object, Output out);

    T read(Input in);
}
