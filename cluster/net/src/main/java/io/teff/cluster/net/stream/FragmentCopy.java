package io.teff.cluster.net.stream;

/** A copy of a fragment, waiting to be read; pooled. Belongs to one thread at a time. */
final class FragmentCopy {
    private static final byte[] NONE = new byte[0];

    /** An array of the pool; empty while the copy is not used. */
    byte[] bytes = NONE;
    int length;
    /** Bytes of the stream that count as handled when the copy is read. */
    long taken;

    /** Returns the array and drops the reference to the array. */
    byte[] takeBytes() {
        final byte[] its = bytes;
        bytes = NONE;
        return its;
    }
}
