package io.teff.cluster.net.stream;

import io.teff.cluster.net.message.MessageType;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The action for the messages of a type.
 *
 * @param type of the messages
 * @param action reads and handles a message
 * @param isShort whether the action runs on the agent's thread
 * @param agentBytesMax longest messages for which an action that is not short runs on the agent's thread, if their lane
 *     is idle; or -1
 * @param isAnswering whether the action answers requests
 * @param isRaw whether the action reads the bytes itself, without a codec
 * @param executor runs the action; null for the executor shared by most handlers
 * @param opener makes the handles of requests with later answers; null if the action answers before returning
 */
public record HandlerEntry(MessageType<?> type, Action action, boolean isShort, int agentBytesMax, boolean isAnswering,
                           boolean isRaw, @Nullable Executor executor, @Nullable Opener opener) {
    /** Makes an entry for messages with a codec, and for requests answered before the action returns. */
    public HandlerEntry(MessageType<?> type, Action action, boolean isShort, boolean isAnswering) {
        this(type, action, isShort, -1, isAnswering, false, null, null);
    }

    /** Makes the handle of a request. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Makes the handle of a received request, or an ended handle for a message that is no request.
         *
         * @param delivery the message
         * @return the handle of the request
         */
        OpenRequest open(Delivery delivery);
    }

    /** Reads and handles a message. */
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
