package io.teff.nio.selector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Threads;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Threads that wait for links: which thread keeps the worker of UCX, and what ends each sleep. Waiters of the client's
 * provider share a worker.
 */
final class WaitTest {
    private static final int ROUNDS = 200;
    private static final long PATIENCE_S = 9;                 // shorter than the helper sleeps

    @TempDir
    private Path folder;
    private Providers providers;
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        providers = new Providers(folder);
        providers.assumeLinks();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
        providers.close();
    }

    private record Pair(SocketChannel client, SocketChannel server) {}

    private Pair connect() throws IOException {
        try (ServerSocketChannel listener = Providers.listen(providers.server)) {
            final SocketChannel client = providers.client.openSocketChannel();
            open.add(client);
            client.connect(listener.getLocalAddress());
            final SocketChannel server = listener.accept();
            open.add(server);
            return new Pair(client, server);
        }
    }

    private Selector selector(SocketChannel channel) throws IOException {
        final Selector selector = providers.client.openSelector();
        synchronized (open) {
            open.add(selector);
        }
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
        return selector;
    }

    /** A thread that selects once. */
    private static final class Selection {
        private final FutureTask<Integer> task;
        private final Thread thread;

        Selection(Selector selector, boolean isVirtual) {
            task = new FutureTask<>(selector::select);
            thread = (isVirtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon()).start(task);
        }

        int result() throws InterruptedException, ExecutionException, TimeoutException {
            return task.get(PATIENCE_S, TimeUnit.SECONDS);
        }

        boolean isDone() {
            return task.isDone();
        }

        /** {@return whether the thread is in the epoll of its selector, as far as its stack shows} */
        boolean isAsleep() {
            final StackTraceElement[] stack = thread.getStackTrace();
            return stack.length > 0 && stack[0].getClassName().endsWith(".EPoll");
        }
    }

    private boolean isKept(Selection selection) {
        return providers.client.isKeptBy(selection.thread);
    }

    private Selection keep(Selector selector) {
        final Selection selection = new Selection(selector, false);
        Threads.await("a keeper", () -> isKept(selection));
        return selection;
    }

    private static void write(SocketChannel channel) throws IOException {
        channel.write(ByteBuffer.wrap(new byte[1]));
    }

    private static void take(SocketChannel channel) throws IOException {
        assertEquals(1, channel.read(ByteBuffer.allocate(2)));
    }

    @Test
    void select_besideAKeeper_isWokenByItsOwnMessage() throws Exception {
        final Pair first = connect();
        final Pair second = connect();
        final Selector one = selector(first.client());
        final Selector two = selector(second.client());
        for (int i = 0; i < ROUNDS; i++) {
            final Selection keeper = new Selection(one, false);
            final Selection other = new Selection(two, i % 2 == 0);
            write(second.server());
            assertEquals(1, other.result());
            assertFalse(keeper.isDone());
            write(first.server());
            assertEquals(1, keeper.result());
            one.selectedKeys().clear();
            two.selectedKeys().clear();
            take(first.client());
            take(second.client());
        }
    }

    @Test
    void select_besideAKeeperThatLeaves_isStillWoken() throws Exception {
        final Pair first = connect();
        final Pair second = connect();
        final Selector one = selector(first.client());
        final Selection keeper = keep(one);
        final Selection other = new Selection(selector(second.client()), false);
        Threads.await("a helper that rests", providers.client::isHelperResting);
        one.wakeup();
        assertEquals(0, keeper.result());
        write(second.server());
        assertEquals(1, other.result());
    }

    @Test
    void close_ofTheKeepersSelector_endsItsSelectionAlone() throws Exception {
        final Pair first = connect();
        final Pair second = connect();
        final Selector one = selector(first.client());
        final Selection keeper = keep(one);
        final Selection other = new Selection(selector(second.client()), false);
        one.close();
        try {
            assertEquals(0, keeper.result());
        } catch (ExecutionException e) {
            assertEquals(ClosedSelectorException.class, e.getCause().getClass());
        }
        assertFalse(other.isDone());
        write(second.server());
        assertEquals(1, other.result());
    }

    @Test
    void select_asKeeper_isWokenByOtherChannels() throws Exception {
        final Pair pair = connect();
        final Pipe pipe = providers.client.openPipe();
        open.add(pipe.source());
        open.add(pipe.sink());
        pipe.source().configureBlocking(false);
        final Selector selector = selector(pair.client());
        final SelectionKey key = pipe.source().register(selector, SelectionKey.OP_READ);
        final Selection keeper = keep(selector);
        pipe.sink().write(ByteBuffer.wrap(new byte[1]));
        assertEquals(1, keeper.result());
        assertTrue(selector.selectedKeys().contains(key));
    }

    @Test
    void select_asKeeper_isWokenByAnInterestOfBefore() throws Exception {
        final Pipe pipe = providers.client.openPipe();
        open.add(pipe.source());
        open.add(pipe.sink());
        pipe.source().configureBlocking(false);
        final Selector selector = selector(connect().client());
        final SelectionKey key = pipe.source().register(selector, 0);
        for (int i = 0; i < 3; i++) {
            final Selection before = keep(selector);            // the epoll has the pipe without an interest
            selector.wakeup();
            assertEquals(0, before.result());
            key.interestOps(SelectionKey.OP_READ);
            final Selection keeper = keep(selector);
            pipe.sink().write(ByteBuffer.wrap(new byte[1]));
            assertEquals(1, keeper.result());
            selector.selectedKeys().clear();
            assertEquals(1, pipe.source().read(ByteBuffer.allocate(2)));
            key.interestOps(0);
        }
    }

    @Test
    void select_asKeeper_isWokenByALinkThatFallsBack() throws Exception {
        fallBack(this::keep);
    }

    @Test
    void select_besideAKeeper_isWokenByALinkThatFallsBack() throws Exception {
        final Selector other = selector(connect().client());
        fallBack(selector -> {
            keep(other);
            final Selection selection = new Selection(selector, false);
            Threads.await("a selection beside the keeper", selection::isAsleep);
            return selection;
        });
        other.wakeup();
    }

    private interface Start {
        Selection start(Selector selector);
    }

    /** Another program listens at the port of an agreement, and speaks first. */
    private void fallBack(Start start) throws Exception {
        final TeffServerSocketChannel listener = (TeffServerSocketChannel) Providers.listen(providers.server);
        open.add(listener);
        final SocketAddress address = listener.getLocalAddress();
        listener.inner().close();                               // the agreement stays possible
        try (ServerSocketChannel peer = Providers.JDK.openServerSocketChannel().bind(address);
                SocketChannel client = providers.client.openSocketChannel()) {
            client.connect(address);
            final Selection selection = start.start(selector(client));
            try (SocketChannel server = peer.accept()) {
                write(server);
                assertEquals(1, selection.result());
                take(client);
            }
        }
    }

    /** Each of many threads has a selector of its own, so most of them wait beside the keeper. */
    @Test
    void select_ofManySelectors_getsEachAnswerInTime() throws Exception {
        final int count = 40;
        final List<Pair> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(connect());
        }
        final Thread echo = Thread.ofPlatform().daemon().start(new FutureTask<>(() -> {
            echo(all);
            return null;
        }));
        Threads.runAll(count, part -> {
            final SocketChannel client = all.get(part).client();
            final Selector selector = selector(client);
            for (int i = 0; i < ROUNDS / 4; i++) {
                write(client);
                assertEquals(1, selector.select(TimeUnit.SECONDS.toMillis(PATIENCE_S)));
                selector.selectedKeys().clear();
                take(client);
            }
        });
        echo.join();
    }

    private void echo(List<Pair> all) throws IOException {
        try (Selector selector = providers.server.openSelector()) {
            for (Pair pair : all) {
                pair.server().configureBlocking(false);
                pair.server().register(selector, SelectionKey.OP_READ);
            }
            for (int left = all.size() * (ROUNDS / 4); left > 0; ) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    take((SocketChannel) key.channel());
                    write((SocketChannel) key.channel());
                    left--;
                }
                selector.selectedKeys().clear();
            }
        }
    }

    @Test
    void select_interruptedAsKeeper_ends() throws Exception {
        final Selection keeper = keep(selector(connect().client()));
        keeper.thread.interrupt();
        assertEquals(0, keeper.result());
    }

    @Test
    void select_whoseKeyIsCancelled_goesOnWithTheOthers() throws Exception {
        final Pair first = connect();
        final Pair second = connect();
        final Selector selector = selector(first.client());
        second.client().configureBlocking(false);
        second.client().register(selector, SelectionKey.OP_READ);
        final Selection keeper = keep(selector);
        first.client().keyFor(selector).cancel();
        write(first.server());
        write(second.server());
        assertEquals(1, keeper.result());
        assertEquals(second.client().keyFor(selector), selector.selectedKeys().iterator().next());
    }

    @Test
    void read_ofManyThreads_getsAllMessages() throws Exception {
        final int pairs = 4;
        final List<Pair> all = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            all.add(connect());
        }
        Threads.runAll(2 * pairs, part -> {
            final Pair pair = all.get(part / 2);
            final FutureTask<Void> task = new FutureTask<>(() -> {
                echo(part % 2 == 0 ? pair.client() : pair.server(), part % 2 == 0);
                return null;
            });
            (part < pairs ? Thread.ofVirtual() : Thread.ofPlatform().daemon()).start(task);
            task.get(PATIENCE_S, TimeUnit.SECONDS);
        });
    }

    private static void echo(SocketChannel channel, boolean isFirst) throws IOException {
        for (int i = 0; i < ROUNDS; i++) {
            if (isFirst) {
                write(channel);
            }
            take(channel);
            if (!isFirst) {
                write(channel);
            }
        }
    }

    @Test
    void select_whileNothingHappens_usesNoProcessor() throws Exception {
        final Selector one = selector(connect().client());
        final Selector two = selector(connect().client());
        final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        final long limitNs = TimeUnit.MILLISECONDS.toNanos(30);
        final Thread keeper = keep(one).thread;
        final long beforeNs = threads.getThreadCpuTime(keeper.threadId());
        assertEquals(0, two.select(500));
        final long usedNs = threads.getThreadCpuTime(keeper.threadId()) - beforeNs;
        assertTrue(usedNs < limitNs, () -> usedNs + " ns");
        one.wakeup();
    }
}
