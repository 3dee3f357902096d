package io.teff.engine.collect;

/** What to do with an entry whose key is a number and whose value is shown as bytes. */
@FunctionalInterface
public interface LongBytesConsumer {
    /**
     * Takes an entry. The array is the walk's: it must not be changed, nor be kept.
     *
     * @param key its key
     * @param bytes where the value's bytes are
     * @param offset index of the first one
     * @param length how many
     */
    void accept(long key, byte[] bytes, int offset, int length);
}
