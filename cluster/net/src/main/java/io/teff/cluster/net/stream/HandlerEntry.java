package io.teff.cluster.net.stream;

import io.teff.cluster.net.message.MessageType;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The action for the messages of a type.
 *
 * @param type of the messages
 * @param action reads and handles one
 * @param isShort whether it runs on the agent's thread
 * @param agentBytesMax longest messages for which it runs there although it is not short, if their lane is idle; or -1
 * @param isAnswering whether it answers requests
 * @param isRaw whether the action reads the bytes itself, without a codec
 * @param executor runs the action; null for the one that most handlers share
 * @param opener makes the handles of requests that are answered later; null if the action answers before it returns
 */
public record HandlerEntry(MessageType<?> type, Action action, boolean isShort, int agentBytesMax, boolean isAnswering,
                           boolean isRaw, @Nullable Executor executor, @Nullable Opener opener) {
    /** Makes an entry for messages with a codec, and for requests that are answered before the action returns. */
    public HandlerEntry(MessageType<?> type, Action action, boolean isShort, boolean isAnswering) {
        this(type, action, isShort, -1, isAnswering, false, null, null);
    }

    /** Makes the handle of a request. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Makes the handle of a request that has arrived, or, for a message that is no request, one that has ended.
         *
         * @param delivery the message
         * @return its handle
         */
        OpenRequest open(Delivery delivery);
    }

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
