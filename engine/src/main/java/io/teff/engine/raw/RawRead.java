package io.teff.engine.raw;

/** Reads a value of a {@link RawMap}. */
@FunctionalInterface
public interface RawRead {
    /**
     * Takes a value. Must be short, because changes of this and of some other keys wait.
     *
     * @param bytes has the value from index 0 on, until this method returns
     * @param length length of the value in bytes; negative if there is no entry
     * @param bucket the chunk that has, or would have, the entry
     * @param overflow a further chunk of the entry, or 0
     */
    void take(byte[] bytes, int length, long bucket, long overflow);
}
