package io.teff.rdma.ucx.message;

import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.call.Callbacks;
import io.teff.rdma.ucx.call.DataCalls;
import io.teff.rdma.ucx.call.Native;
import io.teff.rdma.ucx.call.Operations;
import io.teff.rdma.ucx.call.RequestState;
import io.teff.rdma.ucx.call.UcpLayout.Handler;
import io.teff.rdma.ucx.call.WorkerProgress;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * An active message within its handler: a header, always present, and data, perhaps still at the sender.
 *
 * <p>One object per handler is used again for each message, so nothing is allocated. All methods throw {@link
 * IllegalStateException} outside of the handler.
 */
public final class UcxMessage {
    private final WorkerProgress progress;
    private final int id;
    private final UcxMessageHandler handler;

    private boolean isValid;
    private boolean isStarted;
    private long header;
    private long headerLength;
    private long data;
    private long length;
    private boolean isRendezvous;

    private UcxMessage(WorkerProgress progress, int id, UcxMessageHandler handler) {
        this.progress = progress;
        this.id = id;
        this.handler = handler;
    }

    /**
     * {@return the target of the active messages with a number} For workers alone: programs call {@code
     * UcxWorker.onMessage}.
     *
     * @param progress of the worker
     * @param id the number
     * @param handler of all messages with the number
     */
    public static Callbacks.MessageTarget target(WorkerProgress progress, int id, UcxMessageHandler handler) {
        return new UcxMessage(progress, id, handler)::arrived;
    }

    // ---- the worker's side ----

    /**
     * Runs the handler. A message may arrive within the handler of the same kind, if a worker sends to itself: the
     * earlier message is restored afterwards.
     */
    private UcxStatus arrived(long newHeader, long newHeaderLength, long newData, long newLength, long attributes) {
        final boolean wasValid = isValid;
        final boolean wasStarted = isStarted;
        final long oldHeader = header;
        final long oldHeaderLength = headerLength;
        final long oldData = data;
        final long oldLength = length;
        final boolean wasRendezvous = isRendezvous;
        header = newHeader;
        headerLength = newHeaderLength;
        data = newData;
        length = newLength;
        isRendezvous = (attributes & Handler.IS_RENDEZVOUS) != 0;
        isStarted = false;
        isValid = true;
        progress.handlerBegins();
        try {
            handler.onMessage(this);
            return isStarted ? UcxStatus.IN_PROGRESS : UcxStatus.OK;
        } catch (Throwable t) {
            progress.handlerFailed(t);
            return isStarted ? UcxStatus.IN_PROGRESS : UcxStatus.OK;
        } finally {
            progress.handlerEnds();
            isValid = wasValid;
            isStarted = wasStarted;
            header = oldHeader;
            headerLength = oldHeaderLength;
            data = oldData;
            length = oldLength;
            isRendezvous = wasRendezvous;
        }
    }

    // ---- the handler's side ----

    private void requireValid() {
        if (!isValid) {
            throw new IllegalStateException("the message is valid within its handler alone");
        }
    }

    /**
     * Returns the number of the message's kind.
     *
     * @return as it was given to {@link io.teff.rdma.ucx.worker.UcxWorker#onMessage}
     */
    public int id() {
        return id;
    }

    /**
     * Returns the length of the header.
     *
     * @return bytes
     */
    public long headerLength() {
        requireValid();
        return headerLength;
    }

    /**
     * Returns the length of the data.
     *
     * @return bytes
     */
    public long length() {
        requireValid();
        return length;
    }

    /**
     * Returns whether the data is still at the sender. Then {@link #receive} is the only way to it; without that call
     * the data is dropped, and the sender's operation succeeds.
     *
     * @return false if the data is here
     */
    public boolean isRendezvous() {
        requireValid();
        return isRendezvous;
    }

    /**
     * Returns 8 bytes of the header.
     *
     * @param offset in the header, in bytes
     * @return in the byte order of this machine
     */
    public long headerLong(long offset) {
        requireValid();
        Objects.checkFromIndexSize(offset, Long.BYTES, headerLength);
        return Native.getLong(header + offset);
    }

    /**
     * Returns 8 bytes of the data.
     *
     * @param offset in the data, in bytes
     * @return in the byte order of this machine
     * @throws IllegalStateException if the data is still at the sender
     */
    public long dataLong(long offset) {
        requireHere();
        Objects.checkFromIndexSize(offset, Long.BYTES, length);
        return Native.getLong(data + offset);
    }

    /**
     * Copies a part of the header.
     *
     * @param offset in the header, in bytes
     * @param target of the bytes, also on the heap
     * @param targetOffset in the target, in bytes
     * @param size of the part, in bytes
     */
    public void copyHeader(long offset, MemorySegment target, long targetOffset, long size) {
        requireValid();
        Objects.checkFromIndexSize(offset, size, headerLength);
        Native.copy(header + offset, target, targetOffset, size);
    }

    /**
     * Copies a part of the data.
     *
     * @param offset in the data, in bytes
     * @param target of the bytes, also on the heap
     * @param targetOffset in the target, in bytes
     * @param size of the part, in bytes
     * @throws IllegalStateException if the data is still at the sender
     */
    public void copyData(long offset, MemorySegment target, long targetOffset, long size) {
        requireHere();
        Objects.checkFromIndexSize(offset, size, length);
        Native.copy(data + offset, target, targetOffset, size);
    }

    /**
     * Receives all data into a buffer, wherever it is. If it is here, the request is done at once.
     *
     * @param buffer outside of the heap; belongs to UCX until the request is done
     * @param offset in the buffer, in bytes
     * @param request that is idle
     * @throws IndexOutOfBoundsException if the data does not fit
     * @throws IllegalStateException if the data was received already
     */
    public void receive(MemorySegment buffer, long offset, UcxRequest request) {
        requireValid();
        final long target = Native.target(buffer, offset, length);
        if (isStarted) {
            throw new IllegalStateException("the data was received already");
        }
        final RequestState state = RequestState.of(request);
        state.begin(progress, RequestState.Kind.PLAIN, buffer);
        state.lengthIs(length);
        if (isRendezvous) {
            isStarted = true;
            state.started(DataCalls.activeReceive(progress.pointer(), data, target, length, Operations.PLAIN));
        } else {
            Native.copy(data, buffer, offset, length);
            state.end(UcxStatus.OK);
        }
    }

    private void requireHere() {
        requireValid();
        if (isRendezvous) {
            throw new IllegalStateException("the data is still at the sender");
        }
    }
}
