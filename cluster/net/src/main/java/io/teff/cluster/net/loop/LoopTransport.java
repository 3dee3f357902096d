package io.teff.cluster.net.loop;

import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.Capability;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Transport;
import io.teff.engine.os.Threads;
import java.net.BindException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Links inside a process, {@code loop:name}: a pipe in each direction, polled by the agents of both ends. */
final class LoopTransport implements Transport {
    private static final Map<String, LoopTransport> LISTENERS = new ConcurrentHashMap<>();
    private static final Set<Capability> CAPABILITIES = Set.of(Capability.MOVES_LINKS, Capability.SENDERS_WRITE);

    private final Queue<LoopLink> arrivals = new ConcurrentLinkedQueue<>();
    private final List<LoopLink> links = new ArrayList<>();
    private final LoopRings rings = new LoopRings();
    private final List<String> names = new ArrayList<>();
    private @Nullable Acceptor acceptor;
    private volatile @Nullable Thread waiting;
    private volatile boolean isAwake;
    private volatile boolean isClosed;

    /** Returns the large rings for the pipes of this transport's links. */
    LoopRings rings() {
        return rings;
    }

    @Override
    public String listen(String address, Acceptor told) throws BindException {
        acceptor = told;
        if (LISTENERS.putIfAbsent(address, this) != null) {
            throw new BindException(address + " is listened at already");
        }
        names.add(address);
        return address;
    }

    @Override
    public boolean isLocal(String address) {
        return true;
    }

    @Override
    public Link connect(String address, LinkEvents events) {
        final LoopTransport to = LISTENERS.get(address);
        final LoopPipe there = new LoopPipe();
        final LoopPipe back = new LoopPipe();
        final LoopLink near = new LoopLink(this, there, back, address, events);
        links.add(near);
        if (to == null) {
            near.fail(new ConnectException("there is no listener at " + address));
        } else {
            final LoopLink far = new LoopLink(to, back, there, "loop", null);
            near.join(far);
            to.arrivals.add(far);
            to.wakeIfWaiting();
            if (to.isClosed) {
                far.leave();                                    // the agent may not have seen the arrival
            }
        }
        return near;
    }

    @Override
    public int poll() {
        int work = accept();
        for (int i = 0; i < links.size(); i++) {
            work += links.get(i).poll();
        }
        links.removeIf(LoopLink::isOver);
        return work;
    }

    private int accept() {
        int accepted = 0;
        for (LoopLink link = arrivals.poll(); link != null; link = arrivals.poll()) {
            links.add(link);
            if (acceptor != null) {
                link.accept(acceptor.accepted(link));
            }
            accepted++;
        }
        return accepted;
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public void release(Link link) {
        links.remove((LoopLink) link);
    }

    @Override
    public void adopt(Link link) {
        final LoopLink loopLink = (LoopLink) link;
        loopLink.setTransport(this);
        links.add(loopLink);
    }

    @Override
    public void await(long timeoutNs) {
        waiting = Thread.currentThread();
        if (!isAwake && arrivals.isEmpty() && !hasWork()) {
            Threads.rest(this, timeoutNs);
        }
        waiting = null;
        isAwake = false;
    }

    private boolean hasWork() {
        for (int i = 0; i < links.size(); i++) {
            if (links.get(i).hasWork()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void wakeUp() {
        isAwake = true;
        wakeIfWaiting();
    }

    /**
     * Wakes the agent for a change if the agent waits. {@link #await} announces the wait first, and then checks for
     * changes.
     */
    void wakeIfWaiting() {
        final Thread thread = waiting;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void close() {
        isClosed = true;
        names.forEach(name -> LISTENERS.remove(name, this));
        accept();
        links.forEach(LoopLink::close);
        links.clear();
    }
}
