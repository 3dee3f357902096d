package io.teff.cluster.net.stream;

/** Bytes of a long message that wait to be read. For one thread after the other, and used again. */
final class FragmentCopy {
    private static final byte[] NONE = new byte[0];

    /** Of the pool; its own while it waits. */
    byte[] bytes = NONE;
    int length;
    /** What of the stream is handled when it is read. */
    long taken;

    /** Lets go of its array. */
    byte[] takeBytes() {
        final byte[] its = bytes;
        bytes = NONE;
        return its;
    }
}
