package io.teff.test.nio.programs;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NegotiationType;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Unary calls and streams of gRPC, over several connections. */
final class GrpcClient {
    private static final int CONNECTIONS = 4;
    private static final int STREAM_MESSAGES = 200;
    private static final int UNARY_CALLS = 50;
    private static final int SIZE_MAX = 60_000;

    private GrpcClient() {}

    public static void main(String[] arguments) throws Exception {
        final int seconds = Integer.parseInt(arguments[1]);
        final NioEventLoopGroup group = new NioEventLoopGroup(1);
        final SplittableRandom random = new SplittableRandom(1);
        long messages = 0;
        final ManagedChannel[] channels = new ManagedChannel[CONNECTIONS];
        for (int i = 0; i < CONNECTIONS; i++) {
            channels[i] = NettyChannelBuilder.forAddress("127.0.0.1", Integer.parseInt(arguments[0]))
                .negotiationType(NegotiationType.PLAINTEXT).channelType(NioSocketChannel.class).eventLoopGroup(group)
                .build();
        }
        final long beginNs = System.nanoTime();
        do {
            for (ManagedChannel channel : channels) {
                for (int i = 0; i < UNARY_CALLS; i++) {
                    final byte[] request = bytes(random);
                    final byte[] answer = ClientCalls.blockingUnaryCall(channel, GrpcService.UNARY,
                        CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS), request);
                    check(request, answer);
                }
                stream(channel, random);
                messages += UNARY_CALLS + STREAM_MESSAGES;
            }
        } while (!Told.isOver(beginNs, seconds));
        for (ManagedChannel channel : channels) {
            channel.shutdown();
            Told.line("TERMINATED", channel.awaitTermination(30, TimeUnit.SECONDS));
        }
        group.shutdownGracefully(0, 10, TimeUnit.SECONDS).await(30, TimeUnit.SECONDS);
        Told.counts();
        Told.line(Told.DONE, messages);
    }

    private static byte[] bytes(SplittableRandom random) {
        final byte[] bytes = new byte[random.nextInt(8) == 0 ? random.nextInt(SIZE_MAX) : random.nextInt(200)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static void check(byte[] sent, byte[] found) {
        if (!Arrays.equals(sent, found)) {
            throw new IllegalStateException("sent " + sent.length + " bytes, got "
                + (found == null ? "none" : found.length));
        }
    }

    /** Sends all messages of a stream without waiting, and reads all answers. */
    private static void stream(ManagedChannel channel, SplittableRandom random) throws InterruptedException {
        final BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
        final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
        final StreamObserver<byte[]> requests = ClientCalls.asyncBidiStreamingCall(
            channel.newCall(GrpcService.STREAM, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS)),
            new StreamObserver<>() {
                @Override
                public void onNext(byte[] message) {
                    answers.add(message);
                }

                @Override
                public void onError(Throwable failure) {
                    ends.add(failure.toString());
                }

                @Override
                public void onCompleted() {
                    ends.add("");
                }
            });
        final byte[][] sent = new byte[STREAM_MESSAGES][];
        for (int i = 0; i < STREAM_MESSAGES; i++) {
            sent[i] = bytes(random);
            requests.onNext(sent[i]);
        }
        requests.onCompleted();
        final String end = ends.poll(60, TimeUnit.SECONDS);
        if (!"".equals(end)) {
            throw new IllegalStateException("a stream ended with " + end);
        }
        for (byte[] message : sent) {
            check(message, answers.poll());
        }
    }
}
