package io.teff.cluster.operation;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.HandledBy;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.RawAnswer;
import io.teff.cluster.net.message.RawRequestType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;

/** The two types of messages of operations: short requests, and long requests with threads of their own. */
public final class OperationMessages {
    /** Type of short requests. */
    public static final int SHORT_ID = 32;
    /** Type of long requests. */
    public static final int LONG_ID = 33;
    private static final int LONG_THREADS = 2;

    private static final RawRequestType SHORT = RawRequestType.of(SHORT_ID, OperationFormat.SHORT_BYTES_MAX,
        2 * OperationFormat.SHORT_BYTES_MAX);
    private static final RawRequestType LONG = RawRequestType.of(LONG_ID, OperationFormat.LONG_BYTES_MAX,
        OperationFormat.LONG_BYTES_MAX);

    private OperationMessages() {}

    /**
     * Sends a request.
     *
     * @param network of the client
     * @param nid the owner
     * @param isLong whether the request or its answer may be longer than {@link OperationFormat#SHORT_BYTES_MAX}
     * @param isAwaited whether the calling thread waits for the answer next
     * @param request has the bytes of the request
     * @param timeoutNs longest time until the answer
     * @return ends with the bytes of the answer, or with a {@link NetworkException}
     * @throws NetworkException if it was not sent
     */
    public static CompletableFuture<byte[]> request(Network network, int nid, boolean isLong, boolean isAwaited,
                                                    RequestBytes request, long timeoutNs) {
        final RawRequestType type = isLong ? LONG : SHORT;
        return isAwaited
            ? network.raw().requestAwaited(nid, type, request.memory(), 0, request.length(), OperationMessages::copy,
                timeoutNs)
            : network.raw().request(nid, type, request.memory(), 0, request.length(), OperationMessages::copy,
                timeoutNs);
    }

    private static byte[] copy(MemorySegment memory, long offset, int length) {
        final byte[] bytes = new byte[length];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        return bytes;
    }

    /** Sends a short request whose bytes are in an array, for simulators. */
    static CompletableFuture<byte[]> request(Network network, int nid, byte[] request, long timeoutNs) {
        return network.raw().request(nid, SHORT, MemorySegment.ofArray(request), 0, request.length,
            OperationMessages::copy, timeoutNs);
    }

    /** Registers a service. */
    static void answer(Network network, OperationService service) {
        network.raw().answer(SHORT, HandledBy.AGENT, (_, memory, offset, length, answer) ->
            service.execute(memory, offset, length, false, new NetworkReply(answer)));
        network.raw().answer(LONG, HandledBy.pool("operations", LONG_THREADS), (_, memory, offset, length, answer) ->
            service.execute(memory, offset, length, true, new NetworkReply(answer)));
    }

    /** The way back over the network. */
    private record NetworkReply(RawAnswer answer) implements Reply {
        @Override
        public void answer(MemorySegment memory, int length) {
            answer.complete(memory, 0, length);
        }

        @Override
        public void fail(String why) {
            answer.fail(why);
        }
    }
}
