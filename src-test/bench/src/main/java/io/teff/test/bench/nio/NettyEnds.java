package io.teff.test.bench.nio;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * A server and a client of Netty with a number of connections. Each side has as many event loops as the machine has
 * processors for it.
 */
@SuppressWarnings("FutureReturnValueIgnored")                   // void promises: a failure reaches the pipeline
final class NettyEnds implements Ends {
    private static final int SHORT_BYTES = 16;
    private static final int MIDDLE_BYTES = 1 << 10;
    private static final int PATIENCE_S = 10;

    private final NioCase what;
    private final SelectorProvider clientProvider;
    private final SelectorProvider serverProvider;
    private final MultiThreadIoEventLoopGroup calling;
    private final MultiThreadIoEventLoopGroup serving;
    private final Channel listener;
    private final List<Channel> connections = new ArrayList<>();
    private final Trips trips = new Trips();
    private final LongAdder count = new LongAdder();
    private final LongAdder bytesArrived = new LongAdder();

    NettyEnds(NioKind kind, NioCase what, String registry) throws InterruptedException {
        this.what = what;
        clientProvider = kind.open(registry);
        serverProvider = kind.open(registry);
        final int loops = Math.max(1, Math.min(what.connections(), Runtime.getRuntime().availableProcessors() / 2));
        serving = new MultiThreadIoEventLoopGroup(loops, NioIoHandler.newFactory(serverProvider));
        calling = new MultiThreadIoEventLoopGroup(loops, NioIoHandler.newFactory(clientProvider));
        final boolean isTrip = what.mode() == NioMode.NETTY_TRIP;
        listener = new ServerBootstrap().group(serving)
            .channelFactory(() -> new NioServerSocketChannel(serverProvider))
            .option(ChannelOption.SO_BACKLOG, what.connections() + 1)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(new ChannelInitializer<SocketChannel>() {
                @Override
                protected void initChannel(SocketChannel channel) {
                    channel.pipeline().addLast(isTrip ? new Echo() : new Count());
                }
            }).bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).sync().channel();
        final Bootstrap bootstrap = new Bootstrap().group(calling)
            .channelFactory(() -> new NioSocketChannel(clientProvider)).option(ChannelOption.TCP_NODELAY, true)
            .handler(new ChannelInitializer<SocketChannel>() {
                @Override
                protected void initChannel(SocketChannel channel) {
                    channel.pipeline().addLast(isTrip ? new Call() : new Send());
                }
            });
        for (int i = 0; i < what.connections(); i++) {
            connections.add(bootstrap.connect(listener.localAddress()).sync().channel());
        }
    }

    /** Messages of a length that are flushed together, as in the published measurements of hadroNIO. */
    private int group() {
        return what.bytes() <= SHORT_BYTES ? 64 : what.bytes() <= MIDDLE_BYTES ? 16 : 4;
    }

    private ByteBuf message(ChannelHandlerContext context) {
        final ByteBuf buffer = context.alloc().directBuffer(what.bytes());
        return buffer.writeZero(what.bytes());
    }

    private abstract class Handler extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            trips.failed(cause);
            context.close();
        }
    }

    private final class Echo extends Handler {
        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            context.write(bytes, context.voidPromise());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }
    }

    private final class Call extends Handler {
        private long begunNs;
        private int left;

        /** The program's {@link #start} fires this event. */
        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            call(context);
        }

        private void call(ChannelHandlerContext context) {
            left = what.bytes();
            begunNs = System.nanoTime();
            context.writeAndFlush(message(context), context.voidPromise());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            final ByteBuf buffer = (ByteBuf) bytes;
            left -= buffer.readableBytes();
            buffer.release();
            if (left == 0 && !trips.isOver()) {
                trips.record(System.nanoTime() - begunNs);
                count.increment();
                call(context);
            }
        }
    }

    private final class Send extends Handler {
        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            send(context);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            send(context);
        }

        private void send(ChannelHandlerContext context) {
            while (context.channel().isWritable() && context.channel().isActive() && !trips.isOver()) {
                for (int i = 0; i < group(); i++) {
                    context.write(message(context), context.voidPromise());
                }
                context.flush();
            }
        }
    }

    private final class Count extends Handler {
        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            final ByteBuf buffer = (ByteBuf) bytes;
            bytesArrived.add(buffer.readableBytes());
            buffer.release();
        }
    }

    @Override
    public void start() {
        connections.forEach(channel -> channel.pipeline().fireUserEventTriggered(this));
    }

    @Override
    public void restart() {
        trips.restart();
    }

    @Override
    public long count() {
        return what.mode() == NioMode.NETTY_TRIP ? count.sum() : bytesArrived.sum() / what.bytes();
    }

    @Override
    public boolean isFailed() {
        return trips.isFailed();
    }

    @Override
    public Histogram stop() {
        trips.over();
        return trips.result();
    }

    @Override
    public void close() throws IOException {
        for (Channel channel : connections) {
            channel.close().syncUninterruptibly();
        }
        listener.close().syncUninterruptibly();
        calling.shutdownGracefully(0, PATIENCE_S, TimeUnit.SECONDS).syncUninterruptibly();
        serving.shutdownGracefully(0, PATIENCE_S, TimeUnit.SECONDS).syncUninterruptibly();
        IdleEnds.close(clientProvider);
        IdleEnds.close(serverProvider);
    }
}
