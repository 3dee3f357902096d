package io.teff.cluster.net;

/** Bytes of a long message that wait to be read, in an array that is used again. For one thread after the other. */
final class Piece {
    static final int BYTES_MAX = 16 << 10;

    final byte[] bytes = new byte[BYTES_MAX];
    int length;
    /** What of the stream is handled when it is read. */
    long taken;
}
