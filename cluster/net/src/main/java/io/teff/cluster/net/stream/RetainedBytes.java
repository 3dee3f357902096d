package io.teff.cluster.net.stream;

/**
 * Adds up what a session keeps of what has come: each structure that keeps some of it adds its own. For audits; the
 * sums are recomputed, so that what counts along has something to be compared with.
 */
public final class RetainedBytes {
    /** Bytes of the stream that are not handled. */
    public long creditBytes;
    /** Bytes of messages in parts that count as handled already, or will be held once all parts are there. */
    public long collectedBytes;
    /** Of the pool's arrays that have all these. */
    public long arrayBytes;
    /** Answers for which there is no room. */
    public long answerBytes;
    /** Rests of messages, likewise. */
    public long messageBytes;
}
