package io.teff.nio.selector;

import io.teff.nio.selector.link.Fabric;
import io.teff.nio.selector.link.ByteLink;
import io.teff.nio.selector.link.LinkListener;
import io.teff.nio.selector.report.LinkReason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection: a channel of the JDK, and for a connection by UCX a link.
 *
 * <pre>
 *          connect: an offer was taken          connected         another program accepts
 *  BY TCP  ───────────────────────────> OFFERED ──────────> BY UCX ──────────────────────────> BY TCP
 * </pre>
 *
 * <p>The inner channel makes the connection, and answers for addresses and options. It is non-blocking while the bytes
 * go by UCX.
 */
final class TeffSocketChannel extends SocketChannel implements KeyOwner, LinkListener {
    private final Fabric fabric;
    private final SocketChannel inner;
    private final List<TeffSelectionKey> keys = new CopyOnWriteArrayList<>();
    private final ReentrantLock reading = new ReentrantLock();
    private final ReentrantLock writing = new ReentrantLock();
    /** Guards the way of the bytes and the blocking mode of the inner channel. */
    private final Object way = new Object();
    /** The link of an offer, until the connection is made. */
    private @Nullable ByteLink offered;
    private boolean isRemote;
    private LinkReason reason = LinkReason.NO_LISTENER;
    private volatile @Nullable ByteLink link;
    private volatile boolean isInputShut;
    private volatile boolean isOutputShut;
    private @Nullable ChannelSocket socket;

    TeffSocketChannel(SelectorProvider provider, Fabric fabric, SocketChannel inner) {
        super(provider);
        this.fabric = fabric;
        this.inner = inner;
    }

    /** Makes the channel of an accepted connection. */
    static TeffSocketChannel accepted(SelectorProvider provider, Fabric fabric, SocketChannel inner)
            throws IOException {
        final TeffSocketChannel channel = new TeffSocketChannel(provider, fabric, inner);
        final ByteLink agreed = fabric.accepted(inner);
        final boolean isByUcx = agreed != null && channel.attach(agreed, true);
        fabric.count(isByUcx ? LinkReason.UCX : LinkReason.PLAIN_CLIENT, inner);
        return channel;
    }

    private boolean attach(ByteLink agreed, boolean isOfServer) throws IOException {
        synchronized (way) {
            inner.configureBlocking(false);
            link = agreed;
            if (!agreed.attach(this, inner, isOfServer)) {
                link = null;
                if (keys.isEmpty()) {
                    inner.configureBlocking(isBlocking());
                }
            }
        }
        keys.forEach(TeffSelectionKey::sync);
        return link != null;
    }

    // ---- addresses and options ----

    @Override
    public SocketChannel bind(@Nullable SocketAddress local) throws IOException {
        inner.bind(local);
        return this;
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        return inner.getLocalAddress();
    }

    @Override
    public @Nullable SocketAddress getRemoteAddress() throws IOException {
        return inner.getRemoteAddress();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        inner.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return inner.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return inner.supportedOptions();
    }

    @Override
    public synchronized Socket socket() {
        if (socket == null) {
            socket = ChannelSocket.of(this, inner.socket());
        }
        return socket;
    }

    // ---- connecting ----

    @Override
    public boolean isConnected() {
        return inner.isConnected();
    }

    @Override
    public boolean isConnectionPending() {
        return inner.isConnectionPending();
    }

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        return connect(remote, 0);
    }

    /** Connects; a limit in milliseconds is for the socket's view of a blocking channel. */
    boolean connect(SocketAddress remote, int timeoutMs) throws IOException {
        Objects.requireNonNull(remote);
        if (remote instanceof InetSocketAddress target && !target.isUnresolved() && isOpen() && !inner.isConnected()
                && !inner.isConnectionPending()) {
            final Fabric.Outcome outcome = fabric.offer(inner, target);
            offered = outcome.link();
            isRemote = outcome.isRemote();
            reason = outcome.reason();
        }
        boolean isConnected = false;
        boolean isPending = false;
        try {
            if (timeoutMs > 0) {
                inner.socket().connect(remote, timeoutMs);
                isConnected = true;
            } else {
                isConnected = inner.connect(remote);
            }
            isPending = !isConnected;
        } catch (ClosedByInterruptException e) {
            close();
            throw e;
        } finally {
            if (!isConnected && !isPending) {
                withdraw();
                closeWithInner();
            }
        }
        if (isConnected) {
            connected();
        }
        return isConnected;
    }

    @Override
    public boolean finishConnect() throws IOException {
        final boolean wasPending = inner.isConnectionPending();
        boolean isDone = false;
        boolean isFailed = true;
        try {
            isDone = inner.finishConnect();
            isFailed = false;
        } catch (ClosedByInterruptException e) {
            close();
            throw e;
        } finally {
            if (isFailed) {
                withdraw();
                closeWithInner();
            }
        }
        if (isDone && wasPending) {
            connected();
        }
        return isDone;
    }

    /** A failed connect closes the JDK's channel, and this channel with it. */
    private void closeWithInner() throws IOException {
        if (!inner.isOpen() && isOpen()) {
            close();
        }
    }

    private void withdraw() {
        final ByteLink unused = offered;
        offered = null;
        if (unused != null) {
            fabric.withdraw(unused);
        }
    }

    private void connected() throws IOException {
        final ByteLink agreed = offered;
        if (agreed != null && (isRemote || fabric.isSameMachine(inner)) && attach(agreed, false)) {
            offered = null;
            if (isRemote) {
                fabric.resolveLater(agreed, inner);
            }
        } else if (agreed != null) {
            withdraw();
            reason = LinkReason.DECLINED;
        }
        fabric.count(reason, inner);
    }

    private void requireConnected() throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        if (!inner.isConnected()) {
            throw new NotYetConnectedException();
        }
    }

    // ---- reading ----

    @Override
    public int read(ByteBuffer target) throws IOException {
        return (int) read(new ByteBuffer[] {target}, 0, 1);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, targets.length);
        final ByteLink byUcx = link;
        return byUcx == null ? readInner(targets, offset, length) : readLink(byUcx, targets, offset, length, 0);
    }

    private long readInner(ByteBuffer[] targets, int offset, int length) throws IOException {
        try {
            return length == 1 ? inner.read(targets[offset]) : inner.read(targets, offset, length);
        } catch (ClosedByInterruptException e) {
            close();
            throw e;
        }
    }

    private long readLink(ByteLink byUcx, ByteBuffer[] targets, int offset, int length, long timeoutNs)
            throws IOException {
        requireConnected();
        reading.lock();
        try {
            final boolean mayWait = isBlocking();
            if (!mayWait || !Thread.currentThread().isInterrupted()) {
                final long count = readNow(byUcx, targets, offset, length);
                if (count != 0 || !mayWait || !hasRoom(targets, offset, length)) {
                    return count;
                }
            }
            boolean isDone = false;
            try {
                begin();
                while (isOpen()) {
                    final long wakeUps = byUcx.wakeUps();       // before the look, so no shutdown is missed
                    if (isInputShut) {
                        isDone = true;
                        return -1;
                    }
                    requireWritable(targets, offset, length);
                    long count = byUcx.read(targets, offset, length);
                    isDone = count != 0 || !isBlocking() || !hasRoom(targets, offset, length);
                    if (isDone) {
                        return count;
                    }
                    if (byUcx.isFallen()) {
                        awaitTcp(byUcx);
                        break;
                    }
                    count = byUcx.awaitRead(targets, offset, length, timeoutNs, wakeUps);
                    isDone = count > 0;
                    if (isDone) {
                        return count;
                    }
                }
            } catch (InterruptedException e) {
                isDone = true;                                  // the exception below, or the same of end()
                throw closedByInterrupt();
            } finally {
                end(isDone);
            }
        } finally {
            reading.unlock();
        }
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        return readInner(targets, offset, length);              // the link has fallen back
    }

    /**
     * Closes the channel behind an interrupt. A channel operation inside of the wait, such as one of the inner channel,
     * may have ended the watch of {@code begin} for interrupts.
     */
    private ClosedByInterruptException closedByInterrupt() throws IOException {
        Thread.currentThread().interrupt();
        close();
        return new ClosedByInterruptException();
    }

    /** Reads without waiting, so that neither an interrupt nor a close need end the read. */
    private long readNow(ByteLink byUcx, ByteBuffer[] targets, int offset, int length) throws IOException {
        if (isInputShut) {
            return -1;
        }
        requireWritable(targets, offset, length);
        return byUcx.read(targets, offset, length);
    }

    private static void requireWritable(ByteBuffer[] targets, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (targets[i].isReadOnly()) {
                throw new IllegalArgumentException("Read-only buffer");
            }
        }
    }

    private static boolean hasRoom(ByteBuffer[] buffers, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (buffers[i].hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    /** Reads with a limit, for the socket's view. */
    int readTimed(ByteBuffer target, int timeoutMs) throws IOException {
        final ByteLink byUcx = link;
        if (byUcx != null) {
            return (int) readLink(byUcx, new ByteBuffer[] {target}, 0, 1, timeoutMs * 1_000_000L);
        }
        if (timeoutMs == 0) {
            return read(target);
        }
        inner.socket().setSoTimeout(timeoutMs);
        final int count = inner.socket().getInputStream().read(target.array(), target.position(), target.remaining());
        if (count > 0) {
            target.position(target.position() + count);
        }
        return count;
    }

    // ---- writing ----

    @Override
    public int write(ByteBuffer source) throws IOException {
        return (int) write(new ByteBuffer[] {source}, 0, 1);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        final ByteLink byUcx = link;
        return byUcx == null ? writeInner(sources, offset, length) : writeLink(byUcx, sources, offset, length);
    }

    private long writeInner(ByteBuffer[] sources, int offset, int length) throws IOException {
        try {
            return length == 1 ? inner.write(sources[offset]) : inner.write(sources, offset, length);
        } catch (ClosedByInterruptException e) {
            close();
            throw e;
        }
    }

    private long writeLink(ByteLink byUcx, ByteBuffer[] sources, int offset, int length) throws IOException {
        requireConnected();
        if (!isBlocking() && !isOutputShut) {
            return byUcx.write(sources, offset, length, false);     // the link orders writers that do not wait
        }
        long count = 0;
        writing.lock();
        try {
            final boolean mayWait = isBlocking();
            if ((!mayWait || !Thread.currentThread().isInterrupted()) && !isOutputShut) {
                count = byUcx.write(sources, offset, length, mayWait);
                if (!mayWait || !hasRoom(sources, offset, length)) {
                    return count;
                }
            }
            boolean isDone = false;
            try {
                begin();
                while (isOpen()) {
                    final long wakeUps = byUcx.wakeUps();
                    if (isOutputShut) {
                        throw new AsynchronousCloseException(); // as the JDK's channel does
                    }
                    count += byUcx.write(sources, offset, length, isBlocking());
                    isDone = !isBlocking() || !hasRoom(sources, offset, length);
                    if (isDone) {
                        return count;
                    }
                    if (byUcx.isFallen()) {
                        awaitTcp(byUcx);
                        break;
                    }
                    byUcx.await(false, 0, wakeUps);
                }
            } catch (InterruptedException e) {
                isDone = true;
                throw closedByInterrupt();
            } finally {
                end(isDone || count > 0);
            }
        } finally {
            writing.unlock();
        }
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        return count + writeInner(sources, offset, length);
    }

    /** A link that has fallen back tells the channel at once; waits until the inner channel has its mode. */
    private void awaitTcp(ByteLink fallen) throws InterruptedException {
        synchronized (way) {
            while (link == fallen && isOpen()) {
                way.wait();
            }
        }
    }

    // ---- half-close and close ----

    @Override
    public SocketChannel shutdownInput() throws IOException {
        final ByteLink byUcx;
        synchronized (way) {                                    // a link that falls back meanwhile sees the mark
            byUcx = link;
            if (byUcx != null) {
                requireConnected();
                isInputShut = true;
            }
        }
        if (byUcx == null) {
            inner.shutdownInput();
        } else {
            byUcx.wakeUp();
        }
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        final ByteLink byUcx = link;
        if (byUcx == null) {
            inner.shutdownOutput();
        } else {
            requireConnected();
            isOutputShut = true;
            byUcx.shutdownOutput();
            byUcx.wakeUp();
        }
        return this;
    }

    /** Whether a program has shut the input or output down, for the socket's view. */
    boolean isInputShut() {
        return isInputShut || inner.socket().isInputShutdown();
    }

    boolean isOutputShut() {
        return isOutputShut || inner.socket().isOutputShutdown();
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        final @Nullable ByteLink byUcx;
        synchronized (way) {
            byUcx = link;
            way.notifyAll();
        }
        if (byUcx == null) {
            withdraw();
            inner.close();
            return;
        }
        byUcx.close(isAbrupt());
    }

    private boolean isAbrupt() throws IOException {
        try {
            final Integer linger = inner.getOption(StandardSocketOptions.SO_LINGER);
            return linger != null && linger == 0;
        } catch (ClosedChannelException e) {
            return false;
        }
    }

    @Override
    protected void implConfigureBlocking(boolean isBlocking) throws IOException {
        synchronized (way) {
            if (link == null) {
                keys.forEach(TeffSelectionKey::followCancel);
                inner.configureBlocking(isBlocking);
            }
        }
        final ByteLink byUcx = link;
        if (byUcx != null) {
            byUcx.wakeUp();
        }
    }

    // ---- for keys and the link ----

    @Override
    public SelectableChannel inner() {
        return inner;
    }

    @Override
    public int linkReadyOps() {
        final ByteLink byUcx = link;
        if (byUcx == null) {
            return BY_TCP;
        }
        return (byUcx.isReadable() || isInputShut ? SelectionKey.OP_READ : 0)
            | (byUcx.isWritable() || isOutputShut ? SelectionKey.OP_WRITE : 0);
    }

    @Override
    public void addKey(TeffSelectionKey key) {
        keys.add(key);
    }

    @Override
    public void removeKey(TeffSelectionKey key) {
        keys.remove(key);
    }

    @Override
    public void changed() {
        keys.forEach(TeffSelectionKey::changed);
    }

    @Override
    public void fallen() {
        synchronized (way) {
            try {
                if (isBlocking() && inner.isOpen()) {
                    inner.configureBlocking(true);
                }
                if (isInputShut && inner.isOpen()) {
                    inner.shutdownInput();
                }
            } catch (IOException | IllegalBlockingModeException e) {
                reason = LinkReason.FELL_BACK;                  // the next operation reports the state
            }
            link = null;
            way.notifyAll();
        }
        keys.forEach(key -> {
            key.sync();
            key.changed();
        });
    }

    @Override
    public String toString() {
        final ByteLink byUcx = link;
        return getClass().getSimpleName() + "[" + inner + (byUcx == null ? "" : ", " + byUcx) + "]";
    }
}
