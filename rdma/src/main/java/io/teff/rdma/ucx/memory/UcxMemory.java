package io.teff.rdma.ucx.memory;

import io.teff.rdma.ffi.NativeObject;
import io.teff.rdma.ucx.call.ContextCore;
import io.teff.rdma.ucx.call.Native;
import io.teff.rdma.ucx.call.SetupCall;
import io.teff.rdma.ucx.call.UcpLayout;
import io.teff.rdma.ucx.call.UcpLayout.Memory;
import io.teff.rdma.ucx.call.UcpLayout.MemoryAttributes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Memory that peers with the key can read and change.
 *
 * <p>A key is like a secret: a holder of the key has full access to this memory alone, as long as the transport checks
 * keys. Transports without hardware (shared memory, TCP) trust the peer: UCX executes a foreign put at the address in
 * the put. So keys and connections are for trusted peers.
 *
 * <p>Closing the memory waits for the operations of this context on the memory, as long as the close timeout, and
 * cancels receives. Operations of peers are not known: such operations must be over before. Thread-safe.
 */
public final class UcxMemory extends NativeObject {
    private final ContextCore context;
    private final long handle;
    private final MemorySegment segment;
    /** Ends the segment of memory that UCX has allocated; null for memory of the caller. */
    private final @Nullable Arena arena;
    private final LifeToken token;

    private UcxMemory(NativeObject owner, ContextCore context, long handle, MemorySegment segment,
            @Nullable Arena arena) {
        super("UCX memory", owner);
        this.context = context;
        this.handle = handle;
        this.segment = segment;
        this.arena = arena;
        token = LifeToken.create();
    }

    /**
     * {@return new memory} For contexts alone: programs call {@code UcxContext.allocate}.
     *
     * @param owner the context, which is creating an object
     * @param context the state of the context
     * @param size in bytes
     */
    public static UcxMemory allocate(NativeObject owner, ContextCore context, long size) {
        try (Arena scratch = Arena.ofConfined()) {
            final long handle = map(context, 0, size, scratch);
            final MemorySegment attributes = scratch.allocate(MemoryAttributes.SIZE, Long.BYTES);
            attributes.set(ValueLayout.JAVA_LONG, UcpLayout.FIELD_MASK,
                MemoryAttributes.HAS_ADDRESS | MemoryAttributes.HAS_LENGTH);
            SetupCall.MEMORY_QUERY.run(handle, attributes.address());
            assert attributes.get(ValueLayout.JAVA_LONG, MemoryAttributes.LENGTH) >= size : size;
            final Arena arena = Arena.ofShared();
            return new UcxMemory(owner, context, handle, Native.segment(
                attributes.get(ValueLayout.JAVA_LONG, MemoryAttributes.ADDRESS), size, arena), arena);
        }
    }

    /**
     * {@return memory of the caller} For contexts alone: programs call {@code UcxContext.register}.
     *
     * @param owner the context, which is creating an object
     * @param context the state of the context
     * @param segment outside of the heap
     */
    public static UcxMemory register(NativeObject owner, ContextCore context, MemorySegment segment) {
        try (Arena scratch = Arena.ofConfined()) {
            final long handle = map(context, segment.address(), segment.byteSize(), scratch);
            return new UcxMemory(owner, context, handle, segment, null);
        }
    }

    private static long map(ContextCore context, long address, long size, Arena scratch) {
        final MemorySegment parameters = scratch.allocate(Memory.SIZE, Long.BYTES);
        parameters.set(ValueLayout.JAVA_LONG, UcpLayout.FIELD_MASK,
            Memory.HAS_LENGTH | (address == 0 ? Memory.HAS_FLAGS : Memory.HAS_ADDRESS));
        parameters.set(ValueLayout.JAVA_LONG, Memory.ADDRESS, address);
        parameters.set(ValueLayout.JAVA_LONG, Memory.LENGTH, size);
        parameters.set(ValueLayout.JAVA_INT, Memory.FLAGS, address == 0 ? Memory.ALLOCATE : 0);
        final MemorySegment out = scratch.allocate(ValueLayout.JAVA_LONG);
        SetupCall.MEMORY_MAP.run(context.pointer(), parameters.address(), out.address());
        return out.get(ValueLayout.JAVA_LONG, 0);
    }

    /**
     * Returns the memory. If UCX has allocated it, the segment ends when this object is closed.
     *
     * @return usable by all threads if UCX has allocated it, else the caller's segment
     */
    public MemorySegment segment() {
        requireOpen();
        return segment;
    }

    /**
     * Returns the key for peers, which {@link io.teff.rdma.ucx.worker.UcxEndpoint#remote} takes.
     *
     * @return some hundred bytes: address and size of the memory, the key of UCX, and a checksum
     */
    public byte[] key() {
        enter();
        try (Arena scratch = Arena.ofConfined()) {
            final MemorySegment buffer = scratch.allocate(ValueLayout.JAVA_LONG);
            final MemorySegment size = scratch.allocate(ValueLayout.JAVA_LONG);
            SetupCall.KEY_PACK.run(context.pointer(), handle, buffer.address(), size.address());
            final long bytes = buffer.get(ValueLayout.JAVA_LONG, 0);
            try {
                return UcxRemoteMemory.seal(segment.address(), segment.byteSize(), token,
                    Native.bytes(bytes, Math.toIntExact(size.get(ValueLayout.JAVA_LONG, 0))));
            } finally {
                SetupCall.KEY_RELEASE.run(bytes);
            }
        } finally {
            leave();
        }
    }

    @Override
    protected void free() {
        token.end();
        if (arena != null) {
            arena.close();                                      // from here on, no operation begins
        }
        if (!context.settle(segment.address(), segment.byteSize())) {
            context.leak();
            throw new IllegalStateException("an operation uses the memory, so it is not freed");
        }
        SetupCall.MEMORY_UNMAP.run(context.pointer(), handle);
    }
}
