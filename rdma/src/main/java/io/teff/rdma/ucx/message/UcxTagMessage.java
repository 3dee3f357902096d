package io.teff.rdma.ucx.message;

import io.teff.rdma.ucx.call.DataCalls;
import io.teff.rdma.ucx.call.Native;
import io.teff.rdma.ucx.call.Operations;
import io.teff.rdma.ucx.call.RequestState;
import io.teff.rdma.ucx.call.UcpLayout.TagInfo;
import io.teff.rdma.ucx.call.WorkerProgress;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * An arrived tagged message without a receive, found by {@link io.teff.rdma.ucx.worker.UcxWorker#tagProbe} or {@link
 * io.teff.rdma.ucx.worker.UcxWorker#tagTake}. An object is created once and used for any number of messages in
 * sequence.
 *
 * <p>A message that was taken stays in memory of UCX until {@link
 * io.teff.rdma.ucx.worker.UcxWorker#tagReceive(UcxTagMessage, MemorySegment, long, long, UcxRequest)} receives it. It
 * is lost when the worker is closed.
 */
public final class UcxTagMessage {
    private final WorkerProgress progress;
    private final MemorySegment info;
    private long handle;

    /**
     * Creates a place for a message. For workers alone: programs call {@code UcxWorker.tagMessage}.
     *
     * @param progress of the worker
     * @param arena of the worker
     */
    public UcxTagMessage(WorkerProgress progress, Arena arena) {
        this.progress = progress;
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

    /**
     * Looks for a message, within the turn of the worker. For workers alone: programs call {@code UcxWorker.tagProbe}.
     *
     * @param by the worker that looks
     * @param tag that the message must have
     * @param mask bits of the tag that count
     * @param isTaking whether the message is taken
     * @return whether there is a message
     */
    public boolean probe(WorkerProgress by, long tag, long mask, boolean isTaking) {
        if (by != progress) {
            throw new IllegalArgumentException("the message belongs to another worker");
        }
        if (isTaken()) {
            throw new IllegalStateException("the place has a message that was not received");
        }
        final long found = DataCalls.tagProbe(progress.pointer(), tag, mask, isTaking, info.address());
        if (isTaking) {
            handle = found;
        }
        return found != 0;
    }

    /**
     * Begins to receive the taken message, within the turn of the worker. For workers alone.
     *
     * @param by the worker that receives
     * @param buffer outside of the heap
     * @param offset in the buffer, in bytes
     * @param length limit of the message, in bytes
     * @param request that is idle
     */
    public void receive(WorkerProgress by, MemorySegment buffer, long offset, long length, UcxRequest request) {
        if (by != progress || !isTaken()) {
            throw new IllegalStateException("no message of this worker was taken");
        }
        final long target = Native.target(buffer, offset, length);
        final RequestState state = RequestState.of(request);
        state.begin(progress, RequestState.Kind.TAG_RECEIVE, buffer);
        final long message = handle;
        handle = 0;
        state.started(DataCalls.messageReceive(progress.pointer(), target, length, message, Operations.TAG_RECEIVE));
    }
}
