package io.teff.rdma.ucx.message;

import io.teff.rdma.ucx.UcxException;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.call.RequestObject;
import io.teff.rdma.ucx.call.RequestState;

/**
 * The handle of one operation at a time: created once, used for any number of operations in sequence.
 *
 * <p>An operation makes its request busy. Each {@link #isDone} asks UCX for the state; {@link
 * io.teff.rdma.ucx.worker.UcxWorker#progress} moves it. When it is done, {@link #status} has the outcome, and the
 * request can be used again. An operation may be done at once. Nothing is allocated, and UCX calls nothing back.
 *
 * <pre>
 *            an operation begins           isDone sees its end
 *   IDLE  ------------------------>  BUSY  ------------------->  IDLE, with a status
 * </pre>
 *
 * <p><b>Memory.</b> The segments of an operation belong to UCX until it is done: the segments must not be freed, and
 * the content must not be changed. The request keeps a reference to the segment, which keeps memory of an automatic
 * arena alive; if an arena is closed by hand before the operation is done, UCX uses memory of a new owner. {@link
 * io.teff.rdma.ucx.memory.UcxMemory} waits for its operations before the memory is freed.
 *
 * <p>A request belongs to its worker, and follows the worker's rule of threads. When the worker is closed, its requests
 * are done, with {@link UcxStatus#CANCELED}.
 */
public final class UcxRequest extends RequestObject {
    /**
     * Creates a request. For workers alone: programs call {@code UcxWorker.request}.
     *
     * @param state the worker's side
     */
    public UcxRequest(RequestState state) {
        super(state);
    }

    /**
     * Returns whether no operation is under way. Asks UCX, but does not move anything: see {@link
     * io.teff.rdma.ucx.worker.UcxWorker#progress}.
     *
     * @return true before the first operation
     * @throws IllegalStateException if this thread may not use the worker now
     */
    public boolean isDone() {
        return state().isDone();
    }

    /**
     * Returns the outcome of the last operation, as the last {@link #isDone} has seen it.
     *
     * @return {@link UcxStatus#IN_PROGRESS} while it is under way
     */
    public UcxStatus status() {
        return state().status();
    }

    /**
     * Checks that the last operation is done and has succeeded.
     *
     * @throws IllegalStateException if it is under way
     * @throws UcxException if it has failed
     */
    public void check() {
        if (!isDone()) {
            throw new IllegalStateException("the operation is under way");
        }
        final UcxStatus status = state().status();
        if (status != UcxStatus.OK) {
            throw new UcxException("the operation", status);
        }
    }

    /**
     * Returns how many bytes the last receive has brought.
     *
     * @return bytes; after {@link UcxStatus#MESSAGE_TRUNCATED} its value has no meaning
     */
    public long length() {
        return state().length();
    }

    /**
     * Returns the tag of the message that the last tagged receive has brought.
     *
     * @return the sender's tag
     */
    public long tag() {
        return state().tag();
    }

    /**
     * Returns the old value of the word that the last atomic operation on 8 bytes has fetched.
     *
     * @return the value before the operation
     */
    public long fetched64() {
        return state().fetched64();
    }

    /**
     * Returns the old value of the word that the last atomic operation on 4 bytes has fetched.
     *
     * @return the value before the operation
     */
    public int fetched32() {
        return state().fetched32();
    }

    /**
     * Asks UCX to cancel a tagged receive. It is done later, by {@link io.teff.rdma.ucx.worker.UcxWorker#progress}:
     * with {@link UcxStatus#CANCELED}, or with the proper outcome where the cancellation came too late. Does nothing
     * unless a tagged receive is under way: every other operation ends with its proper outcome, or with its endpoint.
     *
     * @throws IllegalStateException if this thread may not use the worker now
     */
    public void cancel() {
        state().cancel();
    }
}
