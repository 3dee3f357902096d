package io.teff.cluster.net.stream;

import io.teff.cluster.net.message.Answer;
import io.teff.cluster.net.message.MessageType;

/**
 * An open request with a value as answer. Thread-safe.
 *
 * @param <R> type of the answer
 */
public final class OpenAnswer<R> extends OpenRequest implements Answer<R> {
    private final MessageType<R> type;

    /**
     * Makes the handle of a delivered request.
     *
     * @param delivery the request
     * @param type of the answer
     */
    public OpenAnswer(Delivery delivery, MessageType<R> type) {
        super(delivery.reports(), delivery.isRequest() ? delivery.origin() : null, delivery.from(), delivery.type(),
            delivery.lane(), delivery.correlation());
        this.type = type;
    }

    @Override
    public boolean complete(R answer) {
        final MessageOrigin to = end();
        if (to == null) {
            return false;
        }
        try {
            return answer(to, MessageBuffer.write(from(), type, answer));
        } catch (Throwable e) {                                 // of the codec, or the answer is too large
            unwritable(to, e);
            return true;
        }
    }
}
