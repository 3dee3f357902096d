package io.teff.cluster.net.stream;

/** The dispatcher, as seen by a delivery. Thread-safe. */
public interface DeliveryHost extends AnswerReports {
    /** {@return arrays for the bytes of messages} */
    ArrayPool arrays();

    /**
     * Handles a message now, or lets another thread handle the message.
     *
     * @param delivery the message; no earlier message of the same lane waits
     */
    void handle(Delivery delivery);

    /** Counts a message handled by its handler. */
    void handled();

    /** Counts a request that is not handled because its caller has given up. */
    void withdrawn();

    /**
     * Counts a message without a handler, and notifies the listener.
     *
     * @param delivery the message
     */
    void unhandled(Delivery delivery);

    /**
     * Takes back an ended delivery, to be used again.
     *
     * @param delivery without bytes
     */
    void giveBack(Delivery delivery);
}
