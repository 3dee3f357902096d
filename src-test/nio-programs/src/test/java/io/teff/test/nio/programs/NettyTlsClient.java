package io.teff.test.nio.programs;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Connections of netty with TLS that stay open, each with one request after the other. */
final class NettyTlsClient {
    private static final int CONNECTIONS = 8;
    private static final int BODY_MAX = 1 << 20;
    private static final int LARGE = 200_000;

    private NettyTlsClient() {}

    /** A connection, and its answers. */
    private record Connection(Channel channel, BlockingQueue<String> answers) {}

    public static void main(String[] arguments) throws Exception {
        final SslContext tls = SslContextBuilder.forClient().trustManager(new File(arguments[2]))
            .sslProvider(SslProvider.JDK).build();
        final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        final List<Connection> all = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
            all.add(new Connection(new Bootstrap().group(group).channel(NioSocketChannel.class)
                .handler(new Calling(tls, answers)).connect("127.0.0.1", Integer.parseInt(arguments[0])).sync()
                .channel(), answers));
        }
        final long beginNs = System.nanoTime();
        long count = 0;
        do {
            for (Connection connection : all) {
                final String body = "request " + count + " " + "x".repeat(count % 10 == 0 ? LARGE : (int) count % 900);
                final FullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST,
                    "/echo", Unpooled.copiedBuffer(body, StandardCharsets.US_ASCII));
                HttpUtil.setContentLength(request, body.length());
                connection.channel().writeAndFlush(request).sync();
                if (!body.equals(connection.answers().poll(60, TimeUnit.SECONDS))) {
                    throw new IllegalStateException("request " + count + " of " + connection);
                }
                count++;
            }
        } while (!Told.isOver(beginNs, Integer.parseInt(arguments[1])));
        for (Connection connection : all) {
            connection.channel().close().sync();
        }
        group.shutdownGracefully(0, 20, TimeUnit.SECONDS).sync();
        Told.counts();
        Told.line(Told.DONE, count);
    }

    private static final class Calling extends ChannelInitializer<SocketChannel> {
        private final SslContext tls;
        private final BlockingQueue<String> answers;

        Calling(SslContext tls, BlockingQueue<String> answers) {
            this.tls = tls;
            this.answers = answers;
        }

        @Override
        protected void initChannel(SocketChannel channel) {
            channel.pipeline().addLast(tls.newHandler(channel.alloc(), "127.0.0.1", 1), new HttpClientCodec(),
                new HttpObjectAggregator(BODY_MAX), new Answers(answers));
        }
    }

    private static final class Answers extends SimpleChannelInboundHandler<FullHttpResponse> {
        private final BlockingQueue<String> answers;

        Answers(BlockingQueue<String> answers) {
            this.answers = answers;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
            answers.add(response.content().toString(StandardCharsets.US_ASCII));
        }
    }
}
