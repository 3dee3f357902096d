package io.teff.rdma.ucx.message;

import io.teff.rdma.ucx.UcxException;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.call.DataCalls;
import io.teff.rdma.ucx.call.Operations;
import io.teff.rdma.ucx.call.UcpLayout.Operation;
import io.teff.rdma.ucx.call.UcpLayout.TagInfo;
import io.teff.rdma.ucx.memory.UcxRemoteMemory;
import io.teff.rdma.ucx.worker.UcxEndpoint;
import io.teff.rdma.ucx.worker.UcxWorker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The handle of one operation at a time: created once, used for any number of operations, one after the other.
 *
 * <p>An operation that begins with a request makes it busy. Each {@link #isDone} asks UCX for the state; {@link
 * UcxWorker#progress} moves it. When it is done, {@link #status} has the outcome, and the request can be used again. An
 * operation may be done at once. Nothing is allocated, and UCX calls nothing back.
 *
 * <pre>
 *            an operation begins           isDone sees its end
 *   IDLE  ------------------------>  BUSY  ------------------->  IDLE, with a status
 * </pre>
 *
 * <p><b>Memory.</b> The segments of an operation belong to UCX until it is done: they must not be freed, and their
 * content must not be changed. The request keeps a reference to the segment, which keeps memory of an automatic arena
 * alive; an arena that is closed by hand before the operation is done leaves UCX with memory that has a new owner.
 * {@link io.teff.rdma.ucx.memory.UcxMemory} waits for the operations that use it before it is freed.
 *
 * <p>A request belongs to its worker, and follows the worker's rule of threads. When the worker is closed, its requests
 * are done, with {@link UcxStatus#CANCELED}.
 */
public final class UcxRequest {
    /** How the end of an operation is asked for. */
    public enum Kind { PLAIN, TAG_RECEIVE, STREAM_RECEIVE }

    // The memory of a request: two sets of parameters, then what they point to.
    private static final long FETCH_32 = 0;
    private static final long FETCH_64 = FETCH_32 + Operation.SIZE;
    private static final long INFO = FETCH_64 + Operation.SIZE;
    private static final long OPERAND = INFO + TagInfo.SIZE;
    private static final long REPLY = OPERAND + Long.BYTES;
    private static final long SIZE = REPLY + Long.BYTES;
    /** Results from here on, as unsigned numbers, are failures and not addresses. */
    private static final long FAILURES = -100;

    private final UcxWorker worker;
    private final MemorySegment memory;
    private final long address;

    /** The address of UCX's request, or 0 while no operation is under way. */
    private long handle;
    private Kind kind = Kind.PLAIN;
    private UcxStatus status = UcxStatus.OK;
    private @Nullable MemorySegment buffer;
    /** Memory that the operation uses, too: the header of an active message. */
    private @Nullable MemorySegment header;
    private @Nullable UcxRemoteMemory remote;
    /** The endpoint that the operation ends with; null if it is of the whole worker. */
    private @Nullable UcxEndpoint endpoint;

    /** Creates an idle request with memory of its worker. */
    public UcxRequest(UcxWorker worker, Arena arena) {
        assert SIZE % Long.BYTES == 0;
        this.worker = worker;
        memory = arena.allocate(SIZE, Long.BYTES);
        address = memory.address();
        fetch(FETCH_32, Integer.BYTES);
        fetch(FETCH_64, Long.BYTES);
    }

    private void fetch(long place, long width) {
        memory.set(ValueLayout.JAVA_INT, place, Operation.HAS_DATA_TYPE | Operation.HAS_REPLY_BUFFER);
        memory.set(ValueLayout.JAVA_LONG, place + Operation.DATA_TYPE, Operations.dataType(width));
        memory.set(ValueLayout.JAVA_LONG, place + Operation.REPLY_BUFFER, address + REPLY);
    }

    // ---- the caller's side ----

    /**
     * Returns whether no operation is under way. Asks UCX, but does not move anything: see {@link UcxWorker#progress}.
     *
     * @return true before the first operation
     * @throws IllegalStateException if this thread may not use the worker now
     */
    public boolean isDone() {
        return handle == 0 || isDoneSlow();
    }

    private boolean isDoneSlow() {
        worker.take();
        try {
            return handle == 0 || poll();
        } finally {
            worker.giveBack();
        }
    }

    /**
     * Returns the outcome of the last operation, as the last {@link #isDone} has seen it.
     *
     * @return {@link UcxStatus#IN_PROGRESS} while it is under way
     */
    public UcxStatus status() {
        return status;
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
        return memory.get(ValueLayout.JAVA_LONG, INFO + TagInfo.LENGTH);
    }

    /**
     * Returns the tag of the message that the last tagged receive has brought.
     *
     * @return the sender's tag
     */
    public long tag() {
        return memory.get(ValueLayout.JAVA_LONG, INFO + TagInfo.TAG);
    }

    /**
     * Returns the old value of the word that the last atomic operation on 8 bytes has fetched.
     *
     * @return the value before the operation
     */
    public long fetched64() {
        return memory.get(ValueLayout.JAVA_LONG, REPLY);
    }

    /**
     * Returns the old value of the word that the last atomic operation on 4 bytes has fetched.
     *
     * @return the value before the operation
     */
    public int fetched32() {
        return memory.get(ValueLayout.JAVA_INT, REPLY);
    }

    /**
     * Asks UCX to cancel a tagged receive. It is done later, by {@link UcxWorker#progress}: with {@link
     * UcxStatus#CANCELED}, or with its proper outcome where it was too late. Does nothing if no operation is under way,
     * or another one: those end with their proper outcome, or with their endpoint.
     *
     * @throws IllegalStateException if this thread may not use the worker now
     */
    public void cancel() {
        if (handle != 0) {
            worker.take();
            try {
                if (handle != 0 && isCancellable()) {
                    DataCalls.cancel(worker.pointer(), handle);
                }
            } finally {
                worker.giveBack();
            }
        }
    }

    // ---- the worker's side: all within its turn ----

    /** Makes the request busy; {@link #started} or an exception must follow. */
    public void begin(UcxWorker by, Kind operation, @Nullable MemorySegment memoryInUse) {
        if (by != worker) {
            throw new IllegalArgumentException("the request belongs to another worker");
        }
        if (handle != 0 && !poll()) {
            throw new IllegalStateException("the request has an operation under way");
        }
        kind = operation;
        buffer = memoryInUse;
    }

    /** Does the same for an operation on remote memory, whose key is in use until the end. */
    public void begin(UcxWorker by, UcxRemoteMemory target, @Nullable MemorySegment memoryInUse) {
        begin(by, Kind.PLAIN, memoryInUse);
        remote = target;
        target.used();
    }

    /** Takes what the function of UCX has returned. */
    public void started(long result) {
        if (result == 0) {
            end(UcxStatus.OK);
        } else if (Long.compareUnsigned(result, FAILURES) >= 0) {
            end(UcxStatus.of((int) result));
        } else {
            handle = result;
            status = UcxStatus.IN_PROGRESS;
        }
    }

    /** Ends an operation that UCX does not have, or has no longer. */
    public void end(UcxStatus outcome) {
        handle = 0;
        status = outcome;
        buffer = null;
        header = null;
        endpoint = null;
        final UcxRemoteMemory target = remote;
        if (target != null) {
            remote = null;
            target.unused();
        }
    }

    /** Asks for the end of the operation under way; returns whether it has ended. */
    public boolean poll() {
        final int code = switch (kind) {
            case PLAIN -> DataCalls.check(handle);
            case TAG_RECEIVE -> DataCalls.tagTest(handle, address + INFO);
            case STREAM_RECEIVE -> DataCalls.streamTest(handle, address + INFO + TagInfo.LENGTH);
        };
        if (code == UcxStatus.IN_PROGRESS.code()) {
            return false;
        }
        DataCalls.free(handle);
        end(UcxStatus.of(code));
        return true;
    }

    /** Gives the operation under way up: UCX frees its part when it is done, if ever, and a key is never freed. */
    public void abandon() {
        if (handle != 0) {
            DataCalls.free(handle);
            remote = null;
            end(UcxStatus.CANCELED);
        }
    }

    /** Returns the address of UCX's request, or 0. */
    public long pointer() {
        return handle;
    }

    /** Returns whether an operation is under way, without asking UCX. */
    public boolean isBusy() {
        return handle != 0;
    }

    /** Returns whether the operation can be cancelled: UCX asks for it, or ends it with its endpoint. */
    public boolean isCancellable() {
        return kind == Kind.TAG_RECEIVE;
    }

    /** Adds the endpoint to an operation that begins. */
    public void isOf(UcxEndpoint owner) {
        endpoint = owner;
    }

    /** Returns whether an operation of an endpoint is under way, without asking UCX. */
    public boolean isBusyWith(UcxEndpoint owner) {
        return handle != 0 && endpoint == owner;
    }

    /** Returns whether the operation under way reads or writes a range of memory. */
    public boolean isUsing(long start, long size) {
        return handle != 0 && (overlaps(buffer, start, size) || overlaps(header, start, size));
    }

    private static boolean overlaps(@Nullable MemorySegment used, long start, long size) {
        return used != null && used.address() < start + size && start < used.address() + used.byteSize();
    }

    /** Adds a second segment to an operation that begins. */
    public void alsoUses(MemorySegment second) {
        header = second;
    }

    /** Sets what a receive brings whose length UCX does not report. */
    public void lengthIs(long length) {
        memory.set(ValueLayout.JAVA_LONG, INFO + TagInfo.LENGTH, length);
    }

    public long fetch32Operation() {
        return address + FETCH_32;
    }

    public long fetch64Operation() {
        return address + FETCH_64;
    }

    /** Returns the address of the length that a receive from a stream reports at once. */
    public long lengthAddress() {
        return address + INFO + TagInfo.LENGTH;
    }

    /** Sets the operand of an atomic operation and returns its address. */
    public long operand(long value) {
        memory.set(ValueLayout.JAVA_LONG, OPERAND, value);
        return address + OPERAND;
    }

    /** Sets what the reply buffer has at first: the new value of a compare-and-swap. */
    public void reply(long value) {
        memory.set(ValueLayout.JAVA_LONG, REPLY, value);
    }
}
