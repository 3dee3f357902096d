package io.teff.cluster.net.stream;

import io.teff.cluster.net.ring.SendStream;

/** The stream that a message is put into, frame by frame. Thread-safe. */
public interface MessageTarget {
    /** {@return the frames that are to be sent} */
    SendStream out();

    /**
     * Counts a message that is about to leave in fragments.
     *
     * @param isAnswer whether it is a response; responses have a separate limit
     * @return false if as many such messages have begun and not ended as may
     */
    boolean beginFragments(boolean isAnswer);

    /**
     * Counts a message in fragments that has ended, or has not begun after all.
     *
     * @param isAnswer whether it is a response
     */
    void endFragments(boolean isAnswer);

    /**
     * Puts the frame that says that the caller of a request has given it up.
     *
     * @param type of the request
     * @param correlation of the request
     * @return {@code SendStream.OK}, {@code FULL} or {@code ENDED}
     */
    int putWithdrawn(int type, long correlation);

    /** Wakes the agent: a fragment may leave while the next one is made. */
    void signal();

    /**
     * Counts bytes of the incoming stream as handled.
     *
     * @param bytes number of bytes; negative if bytes that counted as handled are held again
     */
    void consumed(long bytes);
}
