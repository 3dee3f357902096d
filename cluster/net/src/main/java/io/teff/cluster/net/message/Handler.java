package io.teff.cluster.net.message;

/**
 * Handles messages.
 *
 * @param <T> type of the messages
 */
@FunctionalInterface
public interface Handler<T> {
    /**
     * Called for each message.
     *
     * @param from NID of the sender
     * @param message of the sender
     * @throws Exception is reported to the listener; the message counts as handled
     */
    void handle(int from, T message) throws Exception;
}
