package io.teff.nio.selector;

import io.teff.nio.selector.link.Fabric;
import io.teff.nio.selector.link.WaitMemory;
import io.teff.nio.selector.link.WorkerKeeper;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A selector around a selector of the JDK.
 *
 * <p>Each key has a key of the JDK. Channels by TCP, datagram channels and pipes become ready in the JDK's selector.
 * Channels by UCX tell the selector of changes: their keys wait in a queue, and end the sleep of the JDK's selector.
 * Each selection looks at the keys of the queue, and once more at the keys that were ready in the selection before, as
 * ready operations are reported again and again.
 *
 * <p>A selection with channels by UCX makes progress of the worker itself, first without sleep. Then the selecting
 * thread sleeps in the epoll of the JDK's selector and in the descriptors of UCX together, unless another thread keeps
 * the worker ({@link WorkerKeeper}).
 */
final class TeffSelector extends AbstractSelector implements KeyQueue {
    private static final long FOREVER = -1;
    private static final long NOW = 0;
    /** Selections in a row that find ready links and do not look into the JDK's selector. */
    private static final int SKIPPED_MAX = 15;
    /** Longest single sleep in descriptors, in nanoseconds. */
    private static final long ROUND_NS = 3_600_000_000_000L;

    private final Fabric fabric;
    private final Selector inner;
    private final Set<SelectionKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> selected = new HashSet<>();
    private final Set<SelectionKey> selectedView = new ShrinkingSet<>(selected);
    private final Set<SelectionKey> keysView = Collections.unmodifiableSet(keys);
    private final Queue<TeffSelectionKey> queue = new ConcurrentLinkedQueue<>();
    private final List<SelectionKey> innerReady = new ArrayList<>();
    /** Keys of channels by UCX that were ready at the last look. The thread that selects alone uses this set. */
    private final Set<TeffSelectionKey> ready = new LinkedHashSet<>();
    /** The selecting thread while it sleeps, or is about to sleep behind its last look. */
    private volatile @Nullable Thread sleeper;
    private final AtomicBoolean isWoken = new AtomicBoolean();
    private final AtomicInteger linkCount = new AtomicInteger();
    /**
     * Whether keys of the JDK were changed or cancelled since the last look into the JDK's selector. The selector tells
     * its epoll in its next selection, so a sleep in the epoll alone would miss these channels.
     */
    private volatile boolean isInnerStale;
    // ---- of the selecting thread ----
    private final WaitMemory waits = new WaitMemory();
    private @Nullable OptionalInt descriptor;
    /** Selections since the last look into the JDK's selector. */
    private int skipped;
    /** Whether the last selection has found ready keys; a program may have left them among the selected keys. */
    private boolean hasReported;

    TeffSelector(SelectorProvider provider, Fabric fabric, Selector inner) {
        super(provider);
        this.fabric = fabric;
        this.inner = inner;
    }

    // ---- keys ----

    @Override
    public Set<SelectionKey> keys() {
        requireOpen();
        return keysView;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        requireOpen();
        return selectedView;
    }

    private void requireOpen() {
        if (!isOpen()) {
            throw new ClosedSelectorException();
        }
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, @Nullable Object attachment) {
        requireOpen();
        final KeyOwner owner = channel instanceof KeyOwner found ? found : null;
        final SelectableChannel innerChannel = owner == null ? channel : owner.inner();
        if (!innerChannel.provider().equals(inner.provider())) {
            throw new IllegalSelectorException();
        }
        final TeffSelectionKey key;
        try {
            final SelectionKey innerKey = innerChannel.register(inner, 0);
            key = new TeffSelectionKey(this, this, channel, owner, innerKey, ops);
            key.attach(attachment);
            innerKey.attach(key);
        } catch (ClosedChannelException e) {
            throw new UncheckedClosedException(e);
        }
        keys.add(key);
        if (owner != null) {
            owner.addKey(key);
        }
        key.sync();
        return key;
    }

    /** The channel was closed during its registration. */
    private static final class UncheckedClosedException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        UncheckedClosedException(ClosedChannelException cause) {
            super("the channel was closed during its registration", cause);
        }
    }

    private void deregisterCancelled() {
        final Set<SelectionKey> cancelled = cancelledKeys();
        synchronized (cancelled) {
            for (SelectionKey key : cancelled) {
                remove((TeffSelectionKey) key);
            }
            cancelled.clear();
        }
    }

    private void remove(TeffSelectionKey key) {
        key.end();
        isInnerStale = true;
        keys.remove(key);
        selected.remove(key);
        queue.remove(key);
        ready.remove(key);
        deregister((AbstractSelectionKey) key);
    }

    @Override
    public void changed(TeffSelectionKey key) {
        look(key);
        final Thread sleeping = sleeper;
        if (sleeping != null && !sleeping.equals(Thread.currentThread()) && key.endsSleep()) {
            inner.wakeup();
        }
    }

    @Override
    public void innerChanged() {
        isInnerStale = true;                                    // before the sleeper is read, in changed
    }

    @Override
    public void countLinks(int change) {
        linkCount.addAndGet(change);
        if (change > 0 && sleeper != null) {
            inner.wakeup();                                     // the selection sleeps in UCX, too, from now on
        }
    }

    @Override
    public void look(TeffSelectionKey key) {
        if (key.setQueued()) {
            queue.add(key);
        }
    }

    // ---- selection ----

    @Override
    public int selectNow() throws IOException {
        return select(NOW, null);
    }

    @Override
    public int select(long timeoutMs) throws IOException {
        return select(limit(timeoutMs), null);
    }

    @Override
    public int select() throws IOException {
        return select(FOREVER, null);
    }

    @Override
    public int select(Consumer<SelectionKey> action, long timeoutMs) throws IOException {
        return select(limit(timeoutMs), java.util.Objects.requireNonNull(action));
    }

    @Override
    public int select(Consumer<SelectionKey> action) throws IOException {
        return select(FOREVER, java.util.Objects.requireNonNull(action));
    }

    @Override
    public int selectNow(Consumer<SelectionKey> action) throws IOException {
        return select(NOW, java.util.Objects.requireNonNull(action));
    }

    private static long limit(long timeoutMs) {
        if (timeoutMs < 0) {
            throw new IllegalArgumentException("timeoutMs=" + timeoutMs);
        }
        return timeoutMs == 0 ? FOREVER : timeoutMs;
    }

    private int select(long timeoutMs, @Nullable Consumer<SelectionKey> action) throws IOException {
        synchronized (this) {
            requireOpen();
            synchronized (selected) {
                return selectLocked(timeoutMs, action);
            }
        }
    }

    private int selectLocked(long timeoutMs, @Nullable Consumer<SelectionKey> action) throws IOException {
        final long beginNs = System.nanoTime();
        final long limitNs = TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        long leftMs = timeoutMs;
        while (true) {
            deregisterCancelled();
            sleep(leftMs);
            deregisterCancelled();
            final int count = report(action);
            final boolean wasWoken = isWoken.getAndSet(false);
            if (hasReported || wasWoken || timeoutMs == NOW || Thread.currentThread().isInterrupted() || !isOpen()) {
                return count;
            }
            if (timeoutMs != FOREVER) {
                final long leftNs = limitNs - (System.nanoTime() - beginNs);
                if (leftNs <= 0) {
                    return 0;
                }
                leftMs = TimeUnit.NANOSECONDS.toMillis(leftNs + TimeUnit.MILLISECONDS.toNanos(1) - 1);
            }
        }
    }

    /** Waits until a key may be ready, the selector is woken, or the time is over. */
    private void sleep(long timeoutMs) throws IOException {
        final WorkerKeeper worker = linkCount.get() == 0 ? null : fabric.keeper();
        if (worker == null) {
            sleepInner(timeoutMs);
            return;
        }
        final long beginNs = System.nanoTime();
        if (timeoutMs == NOW) {
            if (!hasEvent()) {
                worker.help();
            }
            sleepInner(NOW);
        } else if (worker.spin(waits, this::hasEvent)) {
            if (skipped < SKIPPED_MAX && !isInnerStale && !isWoken.get()) {
                skipped++;                                      // links are ready: the others have their turn soon
            } else {
                sleepInner(NOW);
            }
            worker.waited(waits, System.nanoTime() - beginNs);
        } else {
            if (isInnerStale) {
                sleepInner(NOW);
                if (!innerReady.isEmpty()) {
                    return;
                }
            }
            final OptionalInt known = descriptor;
            if ((known == null || known.isPresent()) && worker.begin()) {
                try {
                    final OptionalInt file = innerDescriptor(); // as the keeper: one thread at a time searches
                    if (file.isPresent()) {
                        sleepAsKeeper(worker, file.getAsInt(), timeoutMs, beginNs);
                    }
                } finally {
                    worker.end();
                }
                sleepInner(NOW);
            } else {
                worker.beginBeside();
                try {
                    sleepInner(timeoutMs);
                } finally {
                    worker.endBeside();
                }
            }
            worker.waited(waits, System.nanoTime() - beginNs);
        }
    }

    private OptionalInt innerDescriptor() {
        OptionalInt found = descriptor;
        if (found == null) {
            found = InnerDescriptor.find(inner);
            descriptor = found;
        }
        return found;
    }

    private void sleepAsKeeper(WorkerKeeper worker, int file, long timeoutMs, long beginNs) {
        final long limitNs = timeoutMs == FOREVER ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        sleeper = Thread.currentThread();
        begin();                                                // an interrupt wakes the selector
        try {
            while (!hasEvent() && !isInnerStale) {
                final long leftNs = limitNs - (System.nanoTime() - beginNs);
                if (leftNs <= 0 || !worker.sleep(Math.min(leftNs, ROUND_NS), file)) {
                    return;
                }
            }
        } finally {
            end();
            sleeper = null;
        }
    }

    private void sleepInner(long timeoutMs) throws IOException {
        skipped = 0;
        isInnerStale = false;                                   // before the look
        sleeper = Thread.currentThread();
        try {
            if (timeoutMs == NOW || isWoken.get() || hasReady()) {
                inner.selectNow(innerReady::add);
            } else if (timeoutMs == FOREVER) {
                inner.select(innerReady::add);
            } else {
                inner.select(innerReady::add, timeoutMs);
            }
        } finally {
            sleeper = null;
        }
    }

    private boolean hasEvent() {
        return isWoken.get() || hasReady();
    }

    private boolean hasReady() {
        return isAnyReady(queue) || isAnyReady(ready);
    }

    private static boolean isAnyReady(Collection<TeffSelectionKey> some) {
        if (some.isEmpty()) {
            return false;                                       // a spinning thread asks often: no iterator
        }
        for (TeffSelectionKey key : some) {
            if (key.isValid() && key.linkReady() != 0) {
                return true;
            }
        }
        return false;
    }

    /** Reports ready keys; returns the number of keys with new ready operations. */
    private int report(@Nullable Consumer<SelectionKey> action) {
        int count = 0;
        hasReported = false;
        final List<SelectionKey> found = List.copyOf(innerReady);
        innerReady.clear();
        for (SelectionKey innerKey : found) {
            if (innerKey.isValid() && innerKey.attachment() instanceof TeffSelectionKey key) {
                count += report(key, innerKey.readyOps() & key.interest(), action);
            }
        }
        for (TeffSelectionKey key = queue.poll(); key != null; key = queue.poll()) {
            key.setUnqueued();                                  // before the look: a later change queues the key again
            ready.add(key);
        }
        for (TeffSelectionKey key : List.copyOf(ready)) {
            final int ops = key.isValid() ? key.linkReady() : 0;
            if (ops == 0) {
                ready.remove(key);
            } else {
                count += report(key, ops, action);
            }
        }
        return count;
    }

    private int report(TeffSelectionKey key, int ops, @Nullable Consumer<SelectionKey> action) {
        if (ops == 0 || !key.isValid()) {
            return 0;
        }
        hasReported = true;
        if (action != null) {
            key.setReady(ops);
            action.accept(key);
            return 1;
        }
        if (selected.contains(key)) {
            final int before = key.ready();
            key.setReady(before | ops);
            return key.ready() == before ? 0 : 1;
        }
        key.setReady(ops);
        selected.add(key);
        return 1;
    }

    @Override
    public Selector wakeup() {
        isWoken.set(true);
        inner.wakeup();
        return this;
    }

    @Override
    protected void implCloseSelector() throws IOException {
        wakeup();
        synchronized (this) {
            synchronized (selected) {
                for (SelectionKey key : keys) {
                    key.cancel();
                }
                deregisterCancelled();
                keys.clear();
                selected.clear();
                inner.close();
            }
        }
    }
}
