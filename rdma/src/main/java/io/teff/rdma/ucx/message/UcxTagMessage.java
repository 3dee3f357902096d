package io.teff.rdma.ucx.message;

import io.teff.rdma.ucx.call.UcpLayout.TagInfo;
import io.teff.rdma.ucx.worker.UcxWorker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A tagged message that has arrived and that no receive has met: what {@link UcxWorker#tagProbe} and {@link
 * UcxWorker#tagTake} find. Created once, used for any number of messages, one after the other.
 *
 * <p>A message that was taken stays in memory of UCX until {@link UcxWorker#tagReceive(UcxTagMessage, MemorySegment,
 * long, long, UcxRequest)} receives it. It is lost when the worker is closed.
 */
public final class UcxTagMessage {
    private final UcxWorker worker;
    private final MemorySegment info;
    private long handle;

    /** Creates a place for a message, with memory of its worker. */
    public UcxTagMessage(UcxWorker worker, Arena arena) {
        this.worker = worker;
        info = arena.allocate(TagInfo.SIZE, Long.BYTES);
    }

    /**
     * Returns the tag of the message that was found last.
     *
     * @return the sender's tag
     */
    public long tag() {
        return info.get(ValueLayout.JAVA_LONG, TagInfo.TAG);
    }

    /**
     * Returns the length of the message that was found last.
     *
     * @return bytes
     */
    public long length() {
        return info.get(ValueLayout.JAVA_LONG, TagInfo.LENGTH);
    }

    /**
     * Returns whether a message was taken and is not received yet.
     *
     * @return true between a take and a receive
     */
    public boolean isTaken() {
        return handle != 0;
    }

    public UcxWorker worker() {
        return worker;
    }

    public long infoAddress() {
        return info.address();
    }

    /** Keeps a message that UCX has handed over; 0 for none. */
    public void taken(long message) {
        handle = message;
    }

    /** Returns the message for its receive, and forgets it. */
    public long release() {
        final long message = handle;
        handle = 0;
        return message;
    }
}
