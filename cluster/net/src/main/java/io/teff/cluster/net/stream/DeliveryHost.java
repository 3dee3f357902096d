package io.teff.cluster.net.stream;

/** The dispatcher, as a delivery sees it. Thread-safe. */
public interface DeliveryHost extends AnswerReports {
    /** {@return arrays for the bytes of messages} */
    ArrayPool arrays();

    /**
     * Handles a message now, or has it handled by another thread.
     *
     * @param delivery the message, which follows no other one of its lane
     */
    void handle(Delivery delivery);

    /** Counts a message that its handler has handled. */
    void handled();

    /** Counts a request that is not handled, as its caller has given it up. */
    void withdrawn();

    /**
     * Counts a message without a handler, and notifies the listener.
     *
     * @param delivery the message
     */
    void unhandled(Delivery delivery);

    /**
     * Takes a delivery back that has ended, to be used again.
     *
     * @param delivery without bytes
     */
    void giveBack(Delivery delivery);
}
