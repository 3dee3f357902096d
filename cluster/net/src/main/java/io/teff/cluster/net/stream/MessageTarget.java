package io.teff.cluster.net.stream;

import io.teff.cluster.net.ring.SendStream;

/** The stream into which a message is put, frame by frame. Thread-safe. */
public interface MessageTarget {
    /** {@return the frames that are to be sent} */
    SendStream out();

    /**
     * Counts a message about to leave in fragments.
     *
     * @param isAnswer whether the message is a response; responses have a separate limit
     * @return false if as many such messages have begun and not ended as may
     */
    boolean beginFragments(boolean isAnswer);

    /**
     * Counts the end of a message in fragments, or a counted message that did not begin after all.
     *
     * @param isAnswer whether the message is a response
     */
    void endFragments(boolean isAnswer);

    /**
     * Puts the frame by which the caller of a request gives up the request.
     *
     * @param type of the request
     * @param correlation of the request
     * @return {@code SendStream.OK}, {@code FULL} or {@code ENDED}
     */
    int putWithdrawn(int type, long correlation);

    /** Wakes the agent: a fragment may leave during the encoding of the next fragment. */
    void signal();

    /**
     * Counts bytes of the incoming stream as handled.
     *
     * @param bytes number of bytes; negative if bytes counted as handled are held again
     */
    void consumed(long bytes);
}
