package io.teff.cluster.operation;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/** The two types of messages of operations: short ones, and long ones, which have threads of their own. */
public final class OperationMessages {
    private static final int SHORT_ID = 32;
    private static final int LONG_ID = 33;

    private static final RequestType<Bytes, Bytes> SHORT = type(SHORT_ID, OperationFormat.SHORT_BYTES_MAX);
    private static final RequestType<Bytes, Bytes> LONG = type(LONG_ID, OperationFormat.LONG_BYTES_MAX);

    private OperationMessages() {}

    private record Bytes(byte[] array, int length) {}

    private static RequestType<Bytes, Bytes> type(int id, int bytesMax) {
        final MessageType<Bytes> type = new MessageType<>(id, new BytesCodec(), bytesMax);
        return new RequestType<>(type, type);
    }

    private static final class BytesCodec implements Codec<Bytes> {
        @Override
        public void write(Bytes value, Output out) {
            out.putBytes(value.array, 0, value.length);
        }

        @Override
        public Bytes read(Input in) {
            final int length = in.left();
            final int at = in.take(length);
            return new Bytes(Arrays.copyOfRange(in.array(), at, at + length), length);
        }

        @Override
        public long fingerprint() {
            return 1;
        }
    }

    /**
     * Sends a request.
     *
     * @param network of the client
     * @param nid the owner
     * @param isLong whether the request or its answer may be longer than {@link OperationFormat#SHORT_BYTES_MAX}
     * @param request the request
     * @param timeoutNs longest time until the answer
     * @return ends with the bytes of the answer, or with a {@link NetworkException}
     * @throws NetworkException if it was not sent
     */
    public static CompletableFuture<byte[]> request(Network network, int nid, boolean isLong, RequestBytes request,
                                                    long timeoutNs) {
        return network.request(nid, isLong ? LONG : SHORT, new Bytes(request.bytes(), request.length()), timeoutNs)
            .thenApply(Bytes::array);
    }

    static void answer(Network network, OperationService service) {
        network.answer(SHORT, (_, request) -> answer(service, request, false));
        network.answer(LONG, (_, request) -> answer(service, request, true));
    }

    private static Bytes answer(OperationService service, Bytes request, boolean isLong) {
        final CompletableFuture<byte[]> answer = new CompletableFuture<>();
        service.execute(MemorySegment.ofArray(request.array), 0, request.length, isLong, new Reply() {
            @Override
            public void answer(MemorySegment memory, int length) {
                answer.complete(memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
            }

            @Override
            public void fail(String why) {
                answer.completeExceptionally(new IllegalArgumentException(why));
            }
        });
        final byte[] bytes = answer.join();
        return new Bytes(bytes, bytes.length);
    }
}
