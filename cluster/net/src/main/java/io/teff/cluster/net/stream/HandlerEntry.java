package io.teff.cluster.net.stream;

import io.teff.cluster.net.message.MessageType;

/**
 * The action for the messages of a type.
 *
 * @param type of the messages
 * @param action reads and handles one
 * @param isShort whether it runs on the agent's thread
 * @param isAnswering whether it answers requests
 */
public record HandlerEntry(MessageType<?> type, Action action, boolean isShort, boolean isAnswering) {
    /** Reads a message and handles it. */
    @FunctionalInterface
    public interface Action {
        /**
         * Reads and handles one message.
         *
         * @param delivery the message
         * @throws Exception of the codec or the handler
         */
        void handle(Delivery delivery) throws Exception;
    }
}
