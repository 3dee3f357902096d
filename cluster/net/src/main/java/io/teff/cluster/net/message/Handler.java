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
     * @param message what it has sent
     * @throws Exception is told to the listener; the message counts as handled
     */
    void handle(int from, T message) throws Exception;
}
