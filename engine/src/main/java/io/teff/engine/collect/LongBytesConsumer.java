package io.teff.engine.collect;

/** Action for an entry with a key of type {@code long} and a value given as bytes. */
@FunctionalInterface
public interface LongBytesConsumer {
    /**
     * Processes an entry. The array belongs to the iteration: it must not be changed, nor used after the call.
     *
     * @param key key of the entry
     * @param bytes array that contains the value's bytes
     * @param offset index of the first of them
     * @param length number of them
     */
    void accept(long key, byte[] bytes, int offset, int length);
}
