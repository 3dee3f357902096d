package io.teff.nio.selector.link;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The thread that looks after the TCP connections of links. A link of a server gets the first bytes of its client over
 * TCP, and afterwards no link gets a byte: all that comes is the end of the connection. What a client
 * gets over TCP before ACCEPTED comes from another program.
 */
final class TcpWatch implements AutoCloseable {
    private final Selector selector;
    private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();
    private final ByteBuffer probe = ByteBuffer.allocate(1);

    private TcpWatch(Selector selector) {
        this.selector = selector;
    }

    static TcpWatch open(SelectorProvider provider) throws IOException {
        final TcpWatch watch = new TcpWatch(provider.openSelector());
        Thread.ofPlatform().daemon().name("teff-nio-tcp").start(watch::run);
        return watch;
    }

    void add(SocketChannel connection, ByteLink link) {
        step(() -> {
            try {
                connection.register(selector, SelectionKey.OP_READ, link);
            } catch (ClosedChannelException e) {
                link.tcpEnded();
            }
        });
    }

    /** Lets an unconfirmed link carry on by TCP. */
    void fallBack(ByteLink link) {
        step(() -> fall(link));
    }

    /** Looks at the connection of a link again. */
    void lookAgain(ByteLink link) {
        step(() -> {
            final SocketChannel connection = link.tcp();
            final SelectionKey key = connection == null ? null : connection.keyFor(selector);
            if (key != null && key.isValid()) {
                key.interestOps(SelectionKey.OP_READ);
            }
        });
    }

    /** Closes the connection of a link. */
    void close(SocketChannel connection) {
        step(() -> {
            try {
                connection.close();
            } catch (IOException e) {
                probe.clear();                                  // closed all the same
            }
        });
    }

    /** A peer that reads TCP alone by now must not take the end of a lost link for the end of the stream. */
    static void resetAtClose(SocketChannel connection) {
        try {
            connection.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            assert !connection.isOpen() : e;
        }
    }

    private void step(Runnable step) {
        steps.add(step);
        selector.wakeup();
    }

    private void run() {
        try {
            while (selector.isOpen()) {
                selector.select(this::ready);
                for (Runnable step = steps.poll(); step != null; step = steps.poll()) {
                    step.run();
                }
            }
        } catch (IOException | ClosedSelectorException e) {
            steps.clear();                                      // closed
        }
    }

    private void ready(SelectionKey key) {
        final ByteLink link = (ByteLink) key.attachment();
        if (!link.isConfirmed()) {
            key.interestOps(0);                                 // looked at again when the link has had its say
            link.tcpSpeaks();
            return;
        }
        if (link.isTcpNext()) {
            key.interestOps(0);                                 // looked at again when the program has read
            link.tcpReadable();
            return;
        }
        probe.clear();
        boolean isEnded = true;
        try {
            isEnded = ((SocketChannel) key.channel()).read(probe) != 0;
        } catch (IOException e) {
            probe.clear();                                      // the end that the link reports
        }
        if (isEnded) {
            key.cancel();
            link.tcpEnded();
        }
    }

    private void fall(ByteLink link) {
        final SocketChannel connection = link.tcp();
        final SelectionKey key = connection == null ? null : connection.keyFor(selector);
        try {
            if (key != null) {
                key.cancel();
                selector.selectNow();                           // the channel may become blocking now
            }
            link.fall();
        } catch (IOException e) {
            if (connection != null) {
                close(connection);
            }
        }
    }

    @Override
    public void close() throws IOException {
        selector.close();
    }
}
