package io.teff.cluster;

import org.jspecify.annotations.Nullable;

/** The entry of a call of a {@link ClusterFunction}. Valid until the function returns, for the calling thread. */
public interface FunctionEntry {
    /** {@return a copy of the bytes of the key} */
    byte[] key();

    /** {@return a copy of the bytes of the value; null if the map has no such entry} */
    byte @Nullable [] value();

    /** {@return a copy of the argument of the call} */
    byte[] argument();

    /**
     * Sets the value that the entry has when the function has returned. The last call of this method or of {@link
     * #remove} counts.
     *
     * @param value bytes of the value, in the form of the codec of the map
     */
    void put(byte[] value);

    /** Removes the entry when the function has returned. */
    void remove();

    /**
     * Sets the result for the caller; without this call the caller gets null.
     *
     * @param bytes at most {@value ClusterFunction#RESULT_BYTES_MAX} bytes
     */
    void result(byte[] bytes);
}
