package io.teff.rdma.ucx.call;

import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.call.UcpLayout.Operation;
import io.teff.rdma.ucx.call.UcpLayout.TagInfo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The worker's side of a request: the operation under way, and the memory that UCX reads and writes for the operation.
 * All methods run within the turn of the worker, except methods for results.
 */
public final class RequestState {
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

    private final WorkerProgress progress;
    private final MemorySegment memory;
    private final long address;

    /** The address of UCX's request, or 0 while no operation is under way. */
    private long handle;
    private Kind kind = Kind.PLAIN;
    private UcxStatus status = UcxStatus.OK;
    private @Nullable MemorySegment buffer;
    /** The header of an active message: memory that the operation uses besides the buffer. */
    private @Nullable MemorySegment header;
    /** The key that the operation uses. */
    private @Nullable KeyUse remote;
    /** The endpoint of the operation; for comparisons alone. */
    private @Nullable Object endpoint;

    /**
     * Creates an idle request.
     *
     * @param progress of the worker
     * @param arena of the worker
     */
    public RequestState(WorkerProgress progress, Arena arena) {
        assert SIZE % Long.BYTES == 0;
        this.progress = progress;
        memory = arena.allocate(SIZE, Long.BYTES);
        address = memory.address();
        fetch(FETCH_32, Integer.BYTES);
        fetch(FETCH_64, Long.BYTES);
    }

    /** Writes the parameters of an atomic operation that fetches: the width, and where the old value goes. */
    private void fetch(long place, long width) {
        memory.set(ValueLayout.JAVA_INT, place, Operation.HAS_DATA_TYPE | Operation.HAS_REPLY_BUFFER);
        memory.set(ValueLayout.JAVA_LONG, place + Operation.DATA_TYPE, Operations.dataType(width));
        memory.set(ValueLayout.JAVA_LONG, place + Operation.REPLY_BUFFER, address + REPLY);
    }

    /** Returns the worker's side of a request. */
    public static RequestState of(RequestObject request) {
        return request.state();
    }

    // ---- results ----

    /** Returns whether no operation is under way; asks UCX if one is. */
    public boolean isDone() {
        return handle == 0 || isDoneSlow();
    }

    private boolean isDoneSlow() {
        progress.take();
        try {
            return handle == 0 || poll();
        } finally {
            progress.giveBack();
        }
    }

    /** Returns the outcome of the last operation. */
    public UcxStatus status() {
        return status;
    }

    /** Returns how many bytes the last receive has brought. */
    public long length() {
        return memory.get(ValueLayout.JAVA_LONG, INFO + TagInfo.LENGTH);
    }

    /** Returns the tag that the last tagged receive has brought. */
    public long tag() {
        return memory.get(ValueLayout.JAVA_LONG, INFO + TagInfo.TAG);
    }

    /** Returns the 8 bytes that the last atomic operation has fetched. */
    public long fetched64() {
        return memory.get(ValueLayout.JAVA_LONG, REPLY);
    }

    /** Returns the 4 bytes that the last atomic operation has fetched. */
    public int fetched32() {
        return memory.get(ValueLayout.JAVA_INT, REPLY);
    }

    /** Asks UCX to cancel a tagged receive, with the turn. */
    public void cancel() {
        if (handle != 0) {
            progress.take();
            try {
                if (handle != 0 && isCancellable()) {
                    DataCalls.cancel(progress.pointer(), handle);
                }
            } finally {
                progress.giveBack();
            }
        }
    }

    // ---- operations: all within the turn ----

    /** Makes the request busy; {@link #started} or an exception must follow. */
    public void begin(WorkerProgress by, Kind operation, @Nullable MemorySegment memoryInUse) {
        if (by != progress) {
            throw new IllegalArgumentException("the request belongs to another worker");
        }
        if (handle != 0 && !poll()) {
            throw new IllegalStateException("the request has an operation under way");
        }
        kind = operation;
        buffer = memoryInUse;
    }

    /** Does the same for an operation on remote memory, whose key is in use until the end. */
    public void begin(WorkerProgress by, KeyUse target, @Nullable MemorySegment memoryInUse) {
        begin(by, Kind.PLAIN, memoryInUse);
        remote = target;
        target.begins();
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
        final KeyUse target = remote;
        if (target != null) {
            remote = null;
            target.ends();
        }
    }

    /** Asks for the end of the operation under way; returns whether it has ended. */
    boolean poll() {
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

    /**
     * Gives the operation under way up: UCX frees its part at the end of the operation, if ever, and a key is never
     * freed.
     */
    void abandon() {
        if (handle != 0) {
            DataCalls.free(handle);
            remote = null;
            end(UcxStatus.CANCELED);
        }
    }

    /** Returns the address of UCX's request, or 0. */
    long pointer() {
        return handle;
    }

    /** Returns whether an operation is under way, without asking UCX. */
    boolean isBusy() {
        return handle != 0;
    }

    /** Returns whether the operation can be cancelled: UCX cancels receives alone; the rest ends with the endpoint. */
    boolean isCancellable() {
        return kind == Kind.TAG_RECEIVE;
    }

    /** Adds the endpoint to an operation that begins. */
    void isOf(Object owner) {
        endpoint = owner;
    }

    /** Returns whether an operation of an endpoint is under way, without asking UCX. */
    boolean isBusyWith(Object owner) {
        return handle != 0 && owner.equals(endpoint);
    }

    /** Returns whether the operation under way reads or writes a range of memory. */
    boolean isUsing(long start, long size) {
        return handle != 0 && (overlaps(buffer, start, size) || overlaps(header, start, size));
    }

    private static boolean overlaps(@Nullable MemorySegment used, long start, long size) {
        return used != null && used.address() < start + size && start < used.address() + used.byteSize();
    }

    /** Adds a second segment to an operation that begins. */
    public void alsoUses(MemorySegment second) {
        header = second;
    }

    /** Sets the length of a receive for which UCX reports no length. */
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
