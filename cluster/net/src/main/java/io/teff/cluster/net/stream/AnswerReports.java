package io.teff.cluster.net.stream;

/** Counts requests with later answers by outcome. Thread-safe. */
public interface AnswerReports {
    /** Counts a request taken by its handler and not answered by any thread when the caller's wait ended. */
    void unanswered();

    /**
     * Counts a message whose handler or codec has thrown, and notifies the listener.
     *
     * @param nid the sender
     * @param type of the message
     * @param thrown by the handler or the codec
     */
    void failed(int nid, int type, Throwable thrown);
}
