package io.teff.test.nio.programs;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** An HTTP server of netty with the TLS of the JDK. Each body is sent back. */
final class NettyTlsServer {
    private static final int BODY_MAX = 1 << 20;

    private NettyTlsServer() {}

    public static void main(String[] arguments) throws Exception {
        final SslContext tls = SslContextBuilder.forServer(new File(arguments[0]), new File(arguments[1]))
            .sslProvider(SslProvider.JDK).build();
        final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
        final Channel listener = new ServerBootstrap().group(group).channel(NioServerSocketChannel.class)
            .childHandler(new Serving(tls)).bind(new InetSocketAddress("127.0.0.1", 0)).sync().channel();
        Told.line(Told.READY, ((InetSocketAddress) listener.localAddress()).getPort());
        Told.awaitStop();
        listener.close().sync();
        group.shutdownGracefully(0, 20, TimeUnit.SECONDS).sync();
        Told.counts();
    }

    private static final class Serving extends ChannelInitializer<SocketChannel> {
        private final SslContext tls;

        Serving(SslContext tls) {
            this.tls = tls;
        }

        @Override
        protected void initChannel(SocketChannel channel) {
            channel.pipeline().addLast(tls.newHandler(channel.alloc()), new HttpServerCodec(),
                new HttpObjectAggregator(BODY_MAX), new Echo());
        }
    }

    private static final class Echo extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            final FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK,
                request.content().retain());
            HttpUtil.setContentLength(response, response.content().readableBytes());
            look(context.writeAndFlush(response));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
            Told.line("ERROR", failure);
            look(context.close());
        }

        private static void look(ChannelFuture future) {
            if (future.isDone() && !future.isSuccess()) {
                Told.line("ERROR", future.cause());
            }
        }
    }
}
