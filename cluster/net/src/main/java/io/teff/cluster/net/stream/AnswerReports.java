package io.teff.cluster.net.stream;

/** Counts what becomes of requests that are answered later. Thread-safe. */
public interface AnswerReports {
    /** Counts a request that its handler had taken, and that no thread had answered when its caller's wait ended. */
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
