package io.teff.rdma.ucx.memory;

import io.teff.rdma.ffi.NativeObject;
import io.teff.rdma.ucx.UcxException;
import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.call.DataCalls;
import io.teff.rdma.ucx.call.EndpointCore;
import io.teff.rdma.ucx.call.Envelope;
import io.teff.rdma.ucx.call.KeyUse;
import io.teff.rdma.ucx.call.Native;
import io.teff.rdma.ucx.call.Operations;
import io.teff.rdma.ucx.call.RequestState;
import io.teff.rdma.ucx.call.SetupCall;
import io.teff.rdma.ucx.call.UcpLayout;
import io.teff.rdma.ucx.call.WorkerProgress;
import io.teff.rdma.ucx.message.UcxRequest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Memory of a peer, reached through an endpoint: put, get and atomic operations without the peer's program.
 *
 * <p>Offsets count from the beginning of the {@link UcxMemory} behind the key, and are checked against the size before
 * anything is sent. A put is done when its source can be used again; {@link io.teff.rdma.ucx.worker.UcxEndpoint#flush}
 * tells when it has reached the memory. Transports without hardware need a peer that makes progress.
 *
 * <p>Threads: as the worker. Closing during an operation is safe: the key lives until the endpoint closes.
 */
public final class UcxRemoteMemory extends NativeObject {
    // A key on the wire: address, size, length of the token, the token, and UCX's own key.
    private static final int SIZE = Long.BYTES;
    private static final int TOKEN_LENGTH = SIZE + Long.BYTES;
    private static final int TOKEN = TOKEN_LENGTH + Integer.BYTES;

    private final EndpointCore endpoint;
    private final WorkerProgress progress;
    private final KeyUse key;
    private final long address;
    private final long size;

    private UcxRemoteMemory(NativeObject owner, EndpointCore endpoint, long key, long address, long size) {
        super("UCX remote memory", owner);
        this.endpoint = endpoint;
        progress = endpoint.progress();
        this.key = new KeyUse(key);
        this.address = address;
        this.size = size;
    }

    /** Returns a key for the wire. */
    static byte[] seal(long address, long size, LifeToken life, byte[] key) {
        final byte[] token = life.text().getBytes(StandardCharsets.US_ASCII);
        final ByteBuffer body = ByteBuffer.allocate(TOKEN + token.length + key.length)
            .order(ByteOrder.LITTLE_ENDIAN);
        body.putLong(address).putLong(size).putInt(token.length).put(token).put(key);
        return Envelope.seal(Envelope.Kind.KEY, body.array());
    }

    /**
     * {@return the memory of a key} For endpoints alone: programs call {@code UcxEndpoint.remote}.
     *
     * @param owner the endpoint, which is creating an object
     * @param endpoint the state of the endpoint
     * @param bytes the key
     */
    public static UcxRemoteMemory open(NativeObject owner, EndpointCore endpoint, byte[] bytes) {
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
        final WorkerProgress progress = endpoint.progress();
        progress.take();
        try (Arena scratch = Arena.ofConfined()) {
            final MemorySegment packed = Native.copyOf(body, place, body.length - place, scratch);
            final MemorySegment out = scratch.allocate(ValueLayout.JAVA_LONG);
            SetupCall.KEY_UNPACK.run(endpoint.pointer(), packed.address(), out.address());
            return new UcxRemoteMemory(owner, endpoint, out.get(ValueLayout.JAVA_LONG, 0), buffer.getLong(0),
                buffer.getLong(SIZE));
        } finally {
            progress.giveBack();
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
        progress.take();
        try {
            final long remote = place(target, length, 1);
            final long local = Native.source(source, offset, length);
            final RequestState state = RequestState.of(request);
            if (endpoint.begin(state, key, source)) {
                state.started(DataCalls.put(endpoint.pointer(), local, length, remote, key.key(), Operations.PLAIN));
            }
        } finally {
            progress.giveBack();
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
        progress.take();
        try {
            final long remote = place(source, length, 1);
            final long local = Native.target(target, offset, length);
            final RequestState state = RequestState.of(request);
            if (endpoint.begin(state, key, target)) {
                state.started(DataCalls.get(endpoint.pointer(), local, length, remote, key.key(), Operations.PLAIN));
            }
        } finally {
            progress.giveBack();
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
     * Begins to add to a word of 8 bytes and to fetch the old value: {@link UcxRequest#fetched64}.
     *
     * @param target offset of the word in this memory; the word must lie on 8 bytes
     * @param operand what is added
     * @param request that is idle
     */
    public void fetchAndAdd64(long target, long operand, UcxRequest request) {
        atomic(Long.BYTES, UcxAtomic.ADD.code(), target, operand, 0, true, request);
    }

    /**
     * Begins to replace a word of 8 bytes and to fetch the old value: {@link UcxRequest#fetched64}.
     *
     * @param target offset of the word in this memory; the word must lie on 8 bytes
     * @param value the new value
     * @param request that is idle
     */
    public void swap64(long target, long value, UcxRequest request) {
        atomic(Long.BYTES, UcpLayout.ATOMIC_SWAP, target, value, 0, true, request);
    }

    /**
     * Begins to replace a word of 8 bytes if it has an expected value, and to fetch the old value: {@link
     * UcxRequest#fetched64}. The word was replaced if the old value is the expected value.
     *
     * @param target offset of the word in this memory; the word must lie on 8 bytes
     * @param expected the value to be replaced
     * @param value the new value
     * @param request that is idle
     */
    public void compareAndSwap64(long target, long expected, long value, UcxRequest request) {
        atomic(Long.BYTES, UcpLayout.ATOMIC_COMPARE_AND_SWAP, target, expected, value, true, request);
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
     * Begins to add to a word of 4 bytes and to fetch the old value: {@link UcxRequest#fetched32}.
     *
     * @param target offset of the word in this memory; the word must lie on 4 bytes
     * @param operand what is added
     * @param request that is idle
     */
    public void fetchAndAdd32(long target, int operand, UcxRequest request) {
        atomic(Integer.BYTES, UcxAtomic.ADD.code(), target, operand, 0, true, request);
    }

    /**
     * Begins to replace a word of 4 bytes and to fetch the old value: {@link UcxRequest#fetched32}.
     *
     * @param target offset of the word in this memory; the word must lie on 4 bytes
     * @param value the new value
     * @param request that is idle
     */
    public void swap32(long target, int value, UcxRequest request) {
        atomic(Integer.BYTES, UcpLayout.ATOMIC_SWAP, target, value, 0, true, request);
    }

    /**
     * Begins to replace a word of 4 bytes if it has an expected value, and to fetch the old value: {@link
     * UcxRequest#fetched32}. The word was replaced if the old value is the expected value.
     *
     * @param target offset of the word in this memory; the word must lie on 4 bytes
     * @param expected the value to be replaced
     * @param value the new value
     * @param request that is idle
     */
    public void compareAndSwap32(long target, int expected, int value, UcxRequest request) {
        atomic(Integer.BYTES, UcpLayout.ATOMIC_COMPARE_AND_SWAP, target, expected, value, true, request);
    }

    /** Values of 4 bytes are the low ones of the arguments: machines are little-endian. */
    private void atomic(int width, int code, long target, long operand, long reply, boolean isFetching,
            UcxRequest request) {
        progress.take();
        try {
            final long remote = place(target, width, width);
            final RequestState state = RequestState.of(request);
            if (!endpoint.begin(state, key, null)) {
                return;
            }
            state.reply(reply);
            final long operation = width == Long.BYTES
                ? isFetching ? state.fetch64Operation() : Operations.ATOMIC_64
                : isFetching ? state.fetch32Operation() : Operations.ATOMIC_32;
            state.started(DataCalls.atomic(endpoint.pointer(), code, state.operand(operand), remote, key.key(),
                operation));
        } finally {
            progress.giveBack();
        }
    }

    private long place(long offset, long length, int alignment) {
        progress.context().require(alignment == 1 ? UcxFeature.REMOTE_MEMORY
            : alignment == Long.BYTES ? UcxFeature.ATOMIC_64 : UcxFeature.ATOMIC_32);
        Objects.checkFromIndexSize(offset, length, size);
        if ((address + offset & alignment - 1) != 0) {
            throw new IllegalArgumentException("offset " + offset + " is not on " + alignment + " bytes");
        }
        requireOpen();
        return address + offset;
    }

    @Override
    protected void free() {
        progress.takeToClose();
        try {
            key.close();
        } finally {
            progress.giveBack();
        }
    }

    @Override
    public String toString() {
        return "UCX remote memory of " + size + " bytes";
    }
}
