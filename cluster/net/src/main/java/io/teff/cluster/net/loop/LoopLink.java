package io.teff.cluster.net.loop;

import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One end of a link inside the process: writes to one pipe, reads from a second pipe. Used by the agent of this end
 * only, except for volatile fields.
 */
final class LoopLink implements Link {
    /** The transport of the link's current agent; the other end wakes this transport. */
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

    /** Connects the two ends of a link. */
    void join(LoopLink far) {
        other = far;
        far.other = this;
    }

    /** Reports at the next poll that no link exists. */
    void fail(IOException why) {
        failure = why;
    }

    /**
     * Moves the link to another agent. A writer may have woken the old agent before the move; the bytes are found
     * nevertheless, because an agent polls the pipes of its links before waiting.
     */
    void setTransport(LoopTransport its) {
        transport = its;
    }

    /** Called when the listener has accepted the link. */
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

    /** Reports the events since the last poll. */
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

    private int read(LinkEvents events) {
        final boolean isLast = in.isClosed();                   // before the bytes are polled
        int work = 0;
        for (int bytes = in.readable(); !isOver && bytes > 0 && work < LoopPipe.CAPACITY; bytes = in.readable()) {
            events.bytes(in.memory(), in.readOffset(), bytes);
            in.release(bytes);
            wakeOther();
            work += bytes;
        }
        if (!isOver && isLast && in.isEmpty()) {
            isOver = true;
            events.closed(null);
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

    /** Closes the pipe, so that the other end reads the end of the pipe. */
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
