package io.teff.cluster.net.stream;

/**
 * Sums of the bytes of the incoming stream that a session holds; each structure that holds some of them adds its part.
 * For audits: the sums are recomputed, and compared with the counts that are kept along the way.
 */
public final class RetainedBytes {
    /** Bytes of the stream that are not handled. */
    public long creditBytes;
    /** Bytes of messages in fragments that count as handled already, or will be held once all fragments are there. */
    public long collectedBytes;
    /** Bytes of the pooled arrays that hold them. */
    public long arrayBytes;
    /** Bytes of answers without room. */
    public long answerBytes;
    /** Bytes of rests of messages without room. */
    public long messageBytes;
}
