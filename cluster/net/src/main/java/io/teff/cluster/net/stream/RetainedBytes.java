package io.teff.cluster.net.stream;

/**
 * Sums of the bytes of the incoming stream held by a session; each structure with held bytes adds its part. For audits:
 * the sums are recomputed, and compared with the running counts.
 */
public final class RetainedBytes {
    /** Bytes of the stream not yet handled. */
    public long creditBytes;
    /** Bytes of messages in fragments counted as handled already, or held once all fragments have arrived. */
    public long collectedBytes;
    /** Bytes of the pooled arrays with held bytes. */
    public long arrayBytes;
    /** Bytes of answers without room. */
    public long answerBytes;
    /** Bytes of rests of messages without room. */
    public long messageBytes;
}
