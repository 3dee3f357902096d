package io.teff.test.bench.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Netty 4.2: frames with a length prefix; one channel for each pair of nodes, one event loop for callers, one for the
 * called side. A request has the number of its sender, which the answer repeats.
 */
final class NettyNodes implements Nodes {
    private static final int LENGTH_BYTES = 4;
    private static final int FRAME_BYTES_MAX = 1 << 20;
    private static final int FLUSHES = 256;
    /** The lead over the receiver that Teff allows a sender. */
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(1 << 19, 1 << 20);

    private final NetCase what;
    private final boolean isConsolidated;
    private final EventLoopGroup callers = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoopGroup called = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final List<Channel> servers = new ArrayList<>();
    private final ConcurrentHashMap<List<Integer>, Channel> channels = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Long, CompletableFuture<Void>> waiting = new ConcurrentHashMap<>();
    private final LongAdder received = new LongAdder();
    private long senders;

    NettyNodes(NetCase what, boolean isConsolidated) throws InterruptedException {
        this.what = what;
        this.isConsolidated = isConsolidated;
        ServerBootstrap server = new ServerBootstrap().group(called).channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.TCP_NODELAY, true).childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .childHandler(pipeline(true));
        for (int node = 0; node < what.nodes(); node++) {
            servers.add(server.bind("127.0.0.1", 0).sync().channel());
        }
    }

    private ChannelInitializer<SocketChannel> pipeline(boolean isCalled) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                if (isConsolidated) {
                    channel.pipeline().addLast(new FlushConsolidationHandler(FLUSHES, true));
                }
                channel.pipeline().addLast(new LengthFieldBasedFrameDecoder(FRAME_BYTES_MAX, 0, LENGTH_BYTES, 0,
                    LENGTH_BYTES));
                channel.pipeline().addLast(new Handler(isCalled));
            }
        };
    }

    private final class Handler extends SimpleChannelInboundHandler<ByteBuf> {
        private final boolean isCalled;

        Handler(boolean isCalled) {
            this.isCalled = isCalled;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
            long number = message.getLong(message.readerIndex());
            if (number == 0) {
                received.increment();
            } else if (isCalled) {
                write(context.channel(), number);
            } else {
                waiting.remove(number).complete(null);
            }
        }
    }

    /** A failure closes the channel, which is its only report. */
    private void write(Channel channel, long number) {
        final var _ = channel.writeAndFlush(frame(channel, number), channel.voidPromise());
    }

    private ByteBuf frame(Channel channel, long number) {
        ByteBuf frame = channel.alloc().directBuffer(LENGTH_BYTES + what.bytes());
        return frame.writeInt(what.bytes()).writeLong(number).writeZero(what.bytes() - Long.BYTES);
    }

    @Override
    public synchronized Sender sender(int from, int to) throws InterruptedException {
        Channel channel = channels.get(List.of(from, to));
        if (channel == null) {
            channel = new Bootstrap().group(callers).channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true).option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .handler(pipeline(false)).connect((InetSocketAddress) servers.get(to).localAddress()).sync().channel();
            channels.put(List.of(from, to), channel);
        }
        Channel its = channel;
        long number = ++senders;
        return new Sender() {
            @Override
            public void send() {
                while (!its.isWritable()) {
                    Thread.yield();
                }
                write(its, 0);
            }

            @Override
            public void request() {
                CompletableFuture<Void> answer = new CompletableFuture<>();
                waiting.put(number, answer);
                write(its, number);
                answer.join();
            }
        };
    }

    @Override
    public long received() {
        return received.sum();
    }

    @Override
    public void close() {
        callers.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        called.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
