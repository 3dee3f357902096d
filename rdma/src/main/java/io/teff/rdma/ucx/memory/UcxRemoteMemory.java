package io.teff.rdma.ucx.memory;

import io.teff.rdma.ffi.NativeObject;
import io.teff.rdma.ucx.UcxException;
import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.call.DataCalls;
import io.teff.rdma.ucx.call.Envelope;
import io.teff.rdma.ucx.call.Native;
import io.teff.rdma.ucx.call.Operations;
import io.teff.rdma.ucx.call.SetupCall;
import io.teff.rdma.ucx.message.UcxRequest;
import io.teff.rdma.ucx.worker.UcxEndpoint;
import io.teff.rdma.ucx.worker.UcxWorker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memory of a peer, reached through an endpoint: put, get and atomic operations without the peer's program.
 *
 * <p>Offsets count from the beginning of the {@link UcxMemory} whose key was opened, and are checked against its size
 * before anything is sent. A put is done when its source can be used again; {@link UcxEndpoint#flush} tells when it has
 * reached the memory. Transports without hardware need a peer that makes progress.
 *
 * <p>Threads: as the worker. Closing it while an operation uses it is safe: the key lives until the endpoint closes.
 */
public final class UcxRemoteMemory extends NativeObject {
    // A key on the wire: address, size, length of the token, the token, and UCX's own key.
    private static final int SIZE = Long.BYTES;
    private static final int TOKEN_LENGTH = SIZE + Long.BYTES;
    private static final int TOKEN = TOKEN_LENGTH + Integer.BYTES;

    private final UcxEndpoint endpoint;
    private final UcxWorker worker;
    private final long key;
    private final long address;
    private final long size;
    /** Operations under way. */
    private int uses;
    private boolean isClosed;

    private UcxRemoteMemory(UcxEndpoint endpoint, long key, long address, long size) {
        super("UCX remote memory", endpoint);
        this.endpoint = endpoint;
        this.worker = endpoint.worker();
        this.key = key;
        this.address = address;
        this.size = size;
    }

    /** Returns a key for the wire. */
    public static byte[] seal(long address, long size, LifeToken life, byte[] key) {
        final byte[] token = life.text().getBytes(StandardCharsets.US_ASCII);
        final ByteBuffer body = ByteBuffer.allocate(TOKEN + token.length + key.length)
            .order(ByteOrder.LITTLE_ENDIAN);
        body.putLong(address).putLong(size).putInt(token.length).put(token).put(key);
        return Envelope.seal(Envelope.Kind.KEY, body.array());
    }

    /** Opens a key. Within the endpoint's creation of objects. */
    public static UcxRemoteMemory open(UcxEndpoint endpoint, byte[] bytes) {
        final byte[] body = Envelope.open(Envelope.Kind.KEY, bytes);
        final ByteBuffer buffer = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
        final int tokenLength = body.length < TOKEN ? -1 : buffer.getInt(TOKEN_LENGTH);
        if (tokenLength < 0 || tokenLength >= body.length - TOKEN) {
            throw new IllegalArgumentException("memory key: its parts do not fit");
        }
        final UcxStatus failure = endpoint.failure();
        if (failure != null) {
            throw new UcxException("memory key", failure, "the endpoint has failed");
        }
        final int place = TOKEN + tokenLength;
        if (LifeToken.isOver(new String(body, TOKEN, tokenLength, StandardCharsets.US_ASCII))) {
            throw new UcxException("memory key", UcxStatus.UNREACHABLE, "the memory was closed, or its process ended");
        }
        final UcxWorker worker = endpoint.worker();
        worker.take();
        try (Arena scratch = Arena.ofConfined()) {
            final MemorySegment packed = Native.copyOf(body, place, body.length - place, scratch);
            final MemorySegment out = scratch.allocate(ValueLayout.JAVA_LONG);
            SetupCall.KEY_UNPACK.run(endpoint.pointer(), packed.address(), out.address());
            return new UcxRemoteMemory(endpoint, out.get(ValueLayout.JAVA_LONG, 0), buffer.getLong(0),
                buffer.getLong(SIZE));
        } finally {
            worker.giveBack();
        }
    }

    /**
     * Returns the size of the memory.
     *
     * @return bytes
     */
    public long size() {
        return size;
    }

    /**
     * Begins to write to the memory.
     *
     * @param source outside of the heap; belongs to UCX until the request is done
     * @param offset in the source, in bytes
     * @param length in bytes
     * @param target offset in this memory, in bytes
     * @param request that is idle
     */
    public void put(MemorySegment source, long offset, long length, long target, UcxRequest request) {
        worker.take();
        try {
            final long remote = place(target, length, 1);
            final long local = Native.source(source, offset, length);
            if (isReady(request, source)) {
                request.started(DataCalls.put(endpoint.pointer(), local, length, remote, key, Operations.PLAIN));
            }
        } finally {
            worker.giveBack();
        }
    }

    /**
     * Begins to read from the memory.
     *
     * @param target outside of the heap; belongs to UCX until the request is done
     * @param offset in the target, in bytes
     * @param length in bytes
     * @param source offset in this memory, in bytes
     * @param request that is idle
     */
    public void get(MemorySegment target, long offset, long length, long source, UcxRequest request) {
        worker.take();
        try {
            final long remote = place(source, length, 1);
            final long local = Native.target(target, offset, length);
            if (isReady(request, target)) {
                request.started(DataCalls.get(endpoint.pointer(), local, length, remote, key, Operations.PLAIN));
            }
        } finally {
            worker.giveBack();
        }
    }

    /**
     * Begins to change a word of 8 bytes. The old value is not returned.
     *
     * @param operation the change
     * @param target offset of the word in this memory; the word must lie on 8 bytes
     * @param operand of the change
     * @param request that is idle
     */
    public void change64(UcxAtomic operation, long target, long operand, UcxRequest request) {
        atomic(Long.BYTES, operation.code(), target, operand, 0, false, request);
    }

    /**
     * Begins to add to a word of 8 bytes and to fetch its old value: {@link UcxRequest#fetched64}.
     *
     * @param target offset of the word in this memory; the word must lie on 8 bytes
     * @param operand what is added
     * @param request that is idle
     */
    public void fetchAndAdd64(long target, long operand, UcxRequest request) {
        atomic(Long.BYTES, UcxAtomic.ADD.code(), target, operand, 0, true, request);
    }

    /**
     * Begins to replace a word of 8 bytes and to fetch its old value: {@link UcxRequest#fetched64}.
     *
     * @param target offset of the word in this memory; the word must lie on 8 bytes
     * @param value the new value
     * @param request that is idle
     */
    public void swap64(long target, long value, UcxRequest request) {
        atomic(Long.BYTES, UcxAtomic.SWAP, target, value, 0, true, request);
    }

    /**
     * Begins to replace a word of 8 bytes if it has an expected value, and to fetch its old value: {@link
     * UcxRequest#fetched64}. It was replaced if that is the expected one.
     *
     * @param target offset of the word in this memory; the word must lie on 8 bytes
     * @param expected the value to be replaced
     * @param value the new value
     * @param request that is idle
     */
    public void compareAndSwap64(long target, long expected, long value, UcxRequest request) {
        atomic(Long.BYTES, UcxAtomic.COMPARE_AND_SWAP, target, expected, value, true, request);
    }

    /**
     * Begins to change a word of 4 bytes. The old value is not returned.
     *
     * @param operation the change
     * @param target offset of the word in this memory; the word must lie on 4 bytes
     * @param operand of the change
     * @param request that is idle
     */
    public void change32(UcxAtomic operation, long target, int operand, UcxRequest request) {
        atomic(Integer.BYTES, operation.code(), target, operand, 0, false, request);
    }

    /**
     * Begins to add to a word of 4 bytes and to fetch its old value: {@link UcxRequest#fetched32}.
     *
     * @param target offset of the word in this memory; the word must lie on 4 bytes
     * @param operand what is added
     * @param request that is idle
     */
    public void fetchAndAdd32(long target, int operand, UcxRequest request) {
        atomic(Integer.BYTES, UcxAtomic.ADD.code(), target, operand, 0, true, request);
    }

    /**
     * Begins to replace a word of 4 bytes and to fetch its old value: {@link UcxRequest#fetched32}.
     *
     * @param target offset of the word in this memory; the word must lie on 4 bytes
     * @param value the new value
     * @param request that is idle
     */
    public void swap32(long target, int value, UcxRequest request) {
        atomic(Integer.BYTES, UcxAtomic.SWAP, target, value, 0, true, request);
    }

    /**
     * Begins to replace a word of 4 bytes if it has an expected value, and to fetch its old value: {@link
     * UcxRequest#fetched32}. It was replaced if that is the expected one.
     *
     * @param target offset of the word in this memory; the word must lie on 4 bytes
     * @param expected the value to be replaced
     * @param value the new value
     * @param request that is idle
     */
    public void compareAndSwap32(long target, int expected, int value, UcxRequest request) {
        atomic(Integer.BYTES, UcxAtomic.COMPARE_AND_SWAP, target, expected, value, true, request);
    }

    /** Values of 4 bytes are the low ones of the arguments: machines are little-endian. */
    private void atomic(int width, int code, long target, long operand, long reply, boolean isFetching,
            UcxRequest request) {
        worker.take();
        try {
            final long remote = place(target, width, width);
            if (!isReady(request, null)) {
                return;
            }
            request.reply(reply);
            final long operation = width == Long.BYTES
                ? isFetching ? request.fetch64Operation() : Operations.ATOMIC_64
                : isFetching ? request.fetch32Operation() : Operations.ATOMIC_32;
            request.started(DataCalls.atomic(endpoint.pointer(), code, request.operand(operand), remote, key,
                operation));
        } finally {
            worker.giveBack();
        }
    }

    private long place(long offset, long length, int alignment) {
        worker.context().require(alignment == 1 ? UcxFeature.REMOTE_MEMORY
            : alignment == Long.BYTES ? UcxFeature.ATOMIC_64 : UcxFeature.ATOMIC_32);
        Objects.checkFromIndexSize(offset, length, size);
        if ((address + offset & alignment - 1) != 0) {
            throw new IllegalArgumentException("offset " + offset + " is not on " + alignment + " bytes");
        }
        requireOpen();
        return address + offset;
    }

    /** Makes a request busy; false if the endpoint has failed, which is then the request's outcome. */
    private boolean isReady(UcxRequest request, @Nullable MemorySegment buffer) {
        request.begin(worker, this, buffer);
        request.isOf(endpoint);
        final UcxStatus failure = endpoint.failure();
        if (failure != null) {
            request.end(failure);
        }
        return failure == null;
    }

    // ---- the key's life: all within the worker's turn ----

    public void used() {
        uses++;
    }

    public void unused() {
        uses--;
        if (uses == 0 && isClosed) {
            SetupCall.KEY_DESTROY.run(key);
        }
    }

    @Override
    protected void free() {
        worker.takeToClose();
        try {
            isClosed = true;
            if (uses == 0) {
                SetupCall.KEY_DESTROY.run(key);
            }
        } finally {
            worker.giveBack();
        }
    }

    @Override
    public String toString() {
        return "UCX remote memory of " + size + " bytes";
    }
}
