package io.teff.cluster.net.loop;

import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One end of a link in the process: writes to one pipe, reads from another. Used by its own agent only, but for what is
 * volatile.
 */
final class LoopLink implements Link {
    /** Of the agent that has it now; the other end wakes that one. */
    private volatile LoopTransport transport;
    private final LoopPipe out;
    private final LoopPipe in;
    private final String peer;
    private @Nullable LinkEvents events;
    private volatile @Nullable LoopLink other;
    /** Set by the other end's agent. */
    private volatile boolean isAccepted;
    private @Nullable IOException failure;
    private boolean isConnected;
    private boolean isBlocked;
    private boolean isOver;

    LoopLink(LoopTransport transport, LoopPipe out, LoopPipe in, String peer, @Nullable LinkEvents events) {
        this.transport = transport;
        this.out = out;
        this.in = in;
        this.peer = peer;
        this.events = events;
    }

    /** Makes the two ends of a link know each other. */
    void join(LoopLink far) {
        other = far;
        far.other = this;
    }

    /** Tells at the next poll that there is no link. */
    void fail(IOException why) {
        failure = why;
    }

    /**
     * Another agent goes on with it. Who has written before it could see that has woken the other one; what it has
     * written is seen here, as an agent looks at the pipes of its links before it waits.
     */
    void setTransport(LoopTransport its) {
        transport = its;
    }

    /** The listener's side is there. */
    void accept(LinkEvents told) {
        events = told;
        isConnected = true;
        final LoopLink far = other;
        if (far != null) {
            far.isAccepted = true;
            far.transport.wakeIfWaiting();
        }
        told.connected();
    }

    boolean isOver() {
        return isOver;
    }

    boolean hasWork() {
        return failure != null || !in.isEmpty() || in.isClosed() || isAccepted && !isConnected
            || isBlocked && out.hasRoom();
    }

    /** Tells what has happened. */
    int poll() {
        final LinkEvents told = events;
        if (isOver || told == null || !hasWork()) {
            return 0;
        }
        if (failure != null) {
            isOver = true;
            told.closed(failure);
            return 1;
        }
        if (isAccepted && !isConnected) {
            isConnected = true;
            told.connected();
        }
        if (!isOver && isBlocked && out.hasRoom()) {
            isBlocked = false;
            told.writable();
        }
        return 1 + read(told);
    }

    private int read(LinkEvents told) {
        final boolean isLast = in.isClosed();                   // before the bytes that are looked at
        int work = 0;
        for (int bytes = in.readable(); !isOver && bytes > 0 && work < LoopPipe.CAPACITY; bytes = in.readable()) {
            told.bytes(in.memory(), in.readOffset(), bytes);
            in.release(bytes);
            wakeOther();
            work += bytes;
        }
        if (!isOver && isLast && in.isEmpty()) {
            isOver = true;
            told.closed(null);
        }
        return work;
    }

    @Override
    public int write(MemorySegment memory, long from, int bytes) {
        if (isOver || out.isClosed()) {
            return 0;
        }
        final int taken = out.write(memory, from, bytes, transport.rings());
        isBlocked = taken < bytes;
        wakeOther();
        return taken;
    }

    @Override
    public void rest() {
        out.rest(transport.rings());
    }

    private void wakeOther() {
        final LoopLink far = other;
        if (far != null) {
            far.transport.wakeIfWaiting();
        }
    }

    @Override
    public void close() {
        isOver = true;
        leave();
    }

    /** Lets the other end see the end. */
    void leave() {
        out.close();
        in.close();
        wakeOther();
    }

    @Override
    public String peer() {
        return peer;
    }
}
