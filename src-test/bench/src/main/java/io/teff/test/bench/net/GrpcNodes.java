package io.teff.test.bench.net;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.CallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * gRPC over its own Netty, handled where messages arrive: a unary call for a request, a stream of each sender for
 * messages.
 */
final class GrpcNodes implements Nodes {
    private static final String SERVICE = "bench";
    private static final MethodDescriptor<byte[], byte[]> CALL = method(MethodType.UNARY, "call");
    private static final MethodDescriptor<byte[], byte[]> STREAM = method(MethodType.CLIENT_STREAMING, "stream");

    private final NetCase what;
    private final List<Server> servers = new ArrayList<>();
    private final ConcurrentHashMap<List<Integer>, ManagedChannel> channels = new ConcurrentHashMap<>();
    private final LongAdder received = new LongAdder();

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static MethodDescriptor<byte[], byte[]> method(MethodType type, String name) {
        return MethodDescriptor.<byte[], byte[]>newBuilder().setType(type)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
            .setRequestMarshaller(new Bytes()).setResponseMarshaller(new Bytes()).build();
    }

    GrpcNodes(NetCase what) throws IOException {
        this.what = what;
        for (int node = 0; node < what.nodes(); node++) {
            servers.add(NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0)).directExecutor()
                .addService(ServerServiceDefinition.builder(SERVICE)
                    .addMethod(CALL, ServerCalls.asyncUnaryCall((request, answers) -> {
                        answers.onNext(request);
                        answers.onCompleted();
                    })).addMethod(STREAM, ServerCalls.asyncClientStreamingCall(Counting::new)).build()).build()
                .start());
        }
    }

    private final class Counting implements StreamObserver<byte[]> {
        private final StreamObserver<byte[]> answers;

        Counting(StreamObserver<byte[]> answers) {
            this.answers = answers;
        }

        @Override
        public void onNext(byte[] value) {
            received.increment();
        }

        @Override
        public void onError(Throwable thrown) {
            // the channel was closed
        }

        @Override
        public void onCompleted() {
            answers.onNext(new byte[0]);
            answers.onCompleted();
        }
    }

    private static final class Ignoring implements StreamObserver<byte[]> {
        @Override
        public void onNext(byte[] value) {
            // a stream of messages has no answer but its end
        }

        @Override
        public void onError(Throwable thrown) {
            // the channel was closed
        }

        @Override
        public void onCompleted() {
            // as requested
        }
    }

    @Override
    public synchronized Sender sender(int from, int to) {
        ManagedChannel channel = channels.computeIfAbsent(List.of(from, to), _ -> NettyChannelBuilder
            .forAddress("127.0.0.1", servers.get(to).getPort()).usePlaintext().directExecutor().build());
        byte[] message = new byte[what.bytes()];
        CallStreamObserver<byte[]> stream = what.mode() == NetMode.ROUND_TRIP ? null
            : (CallStreamObserver<byte[]>) ClientCalls.asyncClientStreamingCall(
                channel.newCall(STREAM, CallOptions.DEFAULT), new Ignoring());
        return new Sender() {
            @Override
            public void send() {
                while (!stream.isReady()) {
                    Thread.yield();
                }
                stream.onNext(message);
            }

            @Override
            public void request() {
                ClientCalls.blockingUnaryCall(channel, CALL, CallOptions.DEFAULT, message);
            }
        };
    }

    @Override
    public long received() {
        return received.sum();
    }

    @Override
    public void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
        servers.forEach(Server::shutdownNow);
    }
}
