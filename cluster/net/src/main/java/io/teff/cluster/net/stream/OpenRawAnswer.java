package io.teff.cluster.net.stream;

import io.teff.cluster.net.message.RawAnswer;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** An open request with bytes as answer. Thread-safe. */
public final class OpenRawAnswer extends OpenRequest implements RawAnswer {
    private final int bytesMax;

    /**
     * Makes the handle of a delivered request.
     *
     * @param delivery the request
     * @param bytesMax longest answer
     */
    public OpenRawAnswer(Delivery delivery, int bytesMax) {
        super(delivery.reports(), delivery.isRequest() ? delivery.origin() : null, delivery.from(), delivery.type(),
            delivery.lane(), delivery.correlation());
        this.bytesMax = bytesMax;
    }

    @Override
    public boolean complete(MemorySegment memory, long offset, int length) {
        Objects.checkFromIndexSize(offset, (long) length, memory.byteSize());
        if (length > bytesMax) {
            throw new IllegalArgumentException("length=" + length + " of an answer, its type allows " + bytesMax);
        }
        final MessageOrigin to = end();
        if (to == null) {
            return false;
        }
        final MessageBuffer bytes = MessageBuffer.raw(memory, offset, length);
        try {
            return answer(to, bytes);
        } catch (Throwable e) {                                 // the memory cannot be read by this thread
            unwritable(to, e);
            return true;
        } finally {
            bytes.release();
        }
    }
}
