package io.teff.test.nio.programs;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** A server of gRPC over the java.nio transport of its netty. Each message is sent back. */
final class GrpcServer {
    private GrpcServer() {}

    public static void main(String[] arguments) throws Exception {
        final NioEventLoopGroup accepting = new NioEventLoopGroup(1);
        final NioEventLoopGroup serving = new NioEventLoopGroup(2);
        final Server server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .channelType(NioServerSocketChannel.class).bossEventLoopGroup(accepting).workerEventLoopGroup(serving)
            .addService(ServerServiceDefinition.builder(GrpcService.NAME)
                .addMethod(GrpcService.UNARY, ServerCalls.asyncUnaryCall((request, answer) -> {
                    answer.onNext(request);
                    answer.onCompleted();
                }))
                .addMethod(GrpcService.STREAM, ServerCalls.asyncBidiStreamingCall(Back::new)).build())
            .build().start();
        Told.line(Told.READY, server.getPort());
        Told.awaitStop();
        server.shutdown();
        Told.line("TERMINATED", server.awaitTermination(30, TimeUnit.SECONDS));
        serving.shutdownGracefully(0, 10, TimeUnit.SECONDS).await(30, TimeUnit.SECONDS);
        accepting.shutdownGracefully(0, 10, TimeUnit.SECONDS).await(30, TimeUnit.SECONDS);
        Told.counts();
    }

    /** Sends the messages of a stream back. */
    private record Back(StreamObserver<byte[]> answer) implements StreamObserver<byte[]> {
        @Override
        public void onNext(byte[] message) {
            answer.onNext(message);
        }

        @Override
        public void onError(Throwable failure) {
            Told.line("ERROR", failure);
        }

        @Override
        public void onCompleted() {
            answer.onCompleted();
        }
    }
}
