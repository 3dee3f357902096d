package io.teff.nio.selector;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectionKey;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A key of a selector, around the key of the JDK's channel in the JDK's selector. */
final class TeffSelectionKey extends AbstractSelectionKey {
    private final Selector selector;
    private final KeyQueue queue;
    private final SelectableChannel channel;
    private final @Nullable KeyOwner owner;
    private final SelectionKey inner;
    private final AtomicBoolean isQueued = new AtomicBoolean();
    private volatile int interestOps;
    private volatile int readyOps;
    private boolean isByUcx;

    TeffSelectionKey(Selector selector, KeyQueue queue, SelectableChannel channel, @Nullable KeyOwner owner,
            SelectionKey inner, int ops) {
        this.selector = selector;
        this.queue = queue;
        this.channel = channel;
        this.owner = owner;
        this.inner = inner;
        interestOps = ops;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public Selector selector() {
        return selector;
    }

    @Override
    public int interestOps() {
        requireValid();
        return interestOps;
    }

    @Override
    public SelectionKey interestOps(int ops) {
        interestOpsSet(ops);
        return this;
    }

    private synchronized int interestOpsSet(int ops) {
        requireValid();
        if ((ops & ~channel.validOps()) != 0) {
            throw new IllegalArgumentException("ops=" + ops + ", valid " + channel.validOps());
        }
        final int before = interestOps;
        interestOps = ops;
        sync();
        return before;
    }

    @Override
    public synchronized int interestOpsOr(int ops) {
        return interestOpsSet(interestOps | ops);
    }

    @Override
    public synchronized int interestOpsAnd(int ops) {
        return interestOpsSet(interestOps & ops);
    }

    @Override
    public int readyOps() {
        requireValid();
        return readyOps;
    }

    private void requireValid() {
        if (!isValid()) {
            throw new CancelledKeyException();
        }
    }

    // ---- for the selector and the channel ----

    /** Lets the key of the JDK follow: it watches a channel by TCP only. */
    synchronized void sync() {
        final int linkOps = owner == null ? KeyOwner.BY_TCP : owner.linkReadyOps();
        if (inner.isValid()) {
            try {
                final int ops = linkOps == KeyOwner.BY_TCP ? interestOps : 0;
                if (inner.interestOps() != ops) {
                    inner.interestOps(ops);
                    queue.innerChanged();
                }
            } catch (CancelledKeyException e) {
                return;                                         // the channel was closed meanwhile
            }
        }
        countLink(linkOps != KeyOwner.BY_TCP);
        if (linkOps != KeyOwner.BY_TCP) {
            queue.look(this);
        }
    }

    private synchronized void countLink(boolean isByUcxNow) {
        if (isByUcx != isByUcxNow) {
            isByUcx = isByUcxNow;
            queue.countLinks(isByUcxNow ? 1 : -1);
        }
    }

    /** Takes note of a change of the channel. */
    void changed() {
        queue.changed(this);
    }

    /** {@return whether the key was not queued before} */
    boolean setQueued() {
        return !isQueued.getAndSet(true);
    }

    void setUnqueued() {
        isQueued.set(false);
    }

    /** {@return the ready operations of interest of a channel by UCX; 0 of a channel by TCP} */
    int linkReady() {
        final int ops = owner == null ? KeyOwner.BY_TCP : owner.linkReadyOps();
        return ops == KeyOwner.BY_TCP ? 0 : ops & interestOps;
    }

    /** {@return whether a sleeping selection has to look at the key: it is ready, or goes by TCP from now on} */
    boolean endsSleep() {
        return owner == null || owner.linkReadyOps() == KeyOwner.BY_TCP || linkReady() != 0;
    }

    int interest() {
        return interestOps;
    }

    int ready() {
        return readyOps;
    }

    void setReady(int ops) {
        readyOps = ops;
    }

    /** {@return the key of the JDK} */
    SelectionKey inner() {
        return inner;
    }

    /** Ends the key of the JDK if this key was cancelled: the channel may become blocking before the next selection. */
    void followCancel() {
        if (!isValid()) {
            inner.cancel();
        }
    }

    /** Ends the key of the JDK. */
    void end() {
        inner.cancel();
        if (owner != null) {
            owner.removeKey(this);
        }
        countLink(false);
    }
}
