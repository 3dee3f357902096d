package io.teff.nio.selector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.teff.nio.selector.report.LinkReason;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An HTTP server and a client of netty take the provider as an object, with peers of both kinds. */
final class NettyTest {
    private static final int REQUESTS = 200;
    private static final int BODY_MAX = 300_000;

    @TempDir
    private Path folder;

    @Test
    void http_betweenPeersOfBothKinds_answersAll() throws Exception {
        try (Providers providers = new Providers(folder)) {
            providers.assumeLinks();
            final long before = providers.client.counts().get(LinkReason.UCX);
            exchange(providers.client, providers.server);
            assertEquals(before + 1, providers.client.counts().get(LinkReason.UCX));
            exchange(providers.client, Providers.JDK);
            exchange(Providers.JDK, providers.server);
            assertEquals(before + 1, providers.client.counts().get(LinkReason.UCX));
            assertEquals(1, providers.server.counts().get(LinkReason.PLAIN_CLIENT));
        }
    }

    private static void exchange(SelectorProvider client, SelectorProvider server) throws Exception {
        final MultiThreadIoEventLoopGroup serving = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory(server));
        final MultiThreadIoEventLoopGroup calling = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory(client));
        try {
            final Channel listener = new ServerBootstrap().group(serving)
                .channelFactory(() -> new NioServerSocketChannel(server)).childHandler(new Serving())
                .bind(new InetSocketAddress("127.0.0.1", 0)).sync().channel();
            final Calling calls = new Calling();
            final Channel connection = new Bootstrap().group(calling)
                .channelFactory(() -> new NioSocketChannel(client)).handler(calls)
                .connect(listener.localAddress()).sync().channel();
            for (int i = 0; i < REQUESTS; i++) {
                call(connection, calls, i);
            }
            connection.close().sync();
            listener.close().sync();
        } finally {
            calling.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
            serving.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
        }
    }

    private static void call(Channel connection, Calling calls, int index) throws Exception {
        final String body = "request " + index + " " + "x".repeat(index % 10 == 0 ? BODY_MAX / 2 : index);
        final FullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/echo",
            Unpooled.copiedBuffer(body, StandardCharsets.US_ASCII));
        HttpUtil.setContentLength(request, body.length());
        connection.writeAndFlush(request).sync();
        final String answer = calls.answers.poll(30, TimeUnit.SECONDS);
        assertTrue(body.equals(answer), () -> "request " + index + " of " + connection);
    }

    private static final class Serving extends ChannelInitializer<SocketChannel> {
        @Override
        protected void initChannel(SocketChannel channel) {
            channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(BODY_MAX), new Echo());
        }
    }

    private static final class Echo extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            final FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK,
                request.content().retain());
            HttpUtil.setContentLength(response, response.content().readableBytes());
            assertFalse(context.writeAndFlush(response).isCancelled());
        }
    }

    private static final class Calling extends ChannelInitializer<SocketChannel> {
        private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

        @Override
        protected void initChannel(SocketChannel channel) {
            channel.pipeline().addLast(new HttpClientCodec(), new HttpObjectAggregator(BODY_MAX),
                new SimpleChannelInboundHandler<FullHttpResponse>() {
                    @Override
                    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
                        answers.add(response.content().toString(StandardCharsets.US_ASCII));
                    }
                });
        }
    }
}
