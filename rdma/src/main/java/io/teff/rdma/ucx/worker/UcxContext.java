package io.teff.rdma.ucx.worker;

import io.teff.rdma.ffi.NanoClock;
import io.teff.rdma.ffi.NativeObject;
import io.teff.rdma.ucx.UcxException;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.UcxVersion;
import io.teff.rdma.ucx.call.ContextCore;
import io.teff.rdma.ucx.call.Native;
import io.teff.rdma.ucx.call.SetupCall;
import io.teff.rdma.ucx.call.UcpLayout;
import io.teff.rdma.ucx.call.UcpLayout.Context;
import io.teff.rdma.ucx.call.UcpLayout.ContextAttributes;
import io.teff.rdma.ucx.call.UcpLibrary;
import io.teff.rdma.ucx.memory.UcxMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;

/**
 * A context of UCX: the transports of this machine for a configuration, and all objects of the transports.
 *
 * <p>Thread-safe. Closing a context closes its workers and its memory; workers of {@link UcxThreadMode#SINGLE} must be
 * closed by their threads before. Open contexts with different settings may exist beside each other.
 */
public final class UcxContext extends NativeObject {
    private final UcxConfig config;
    private final UcxVersion version;
    private final long requestSize;
    private final ContextCore core;

    private UcxContext(UcxConfig config, UcxVersion version, long pointer, long requestSize) {
        super("UCX context");
        this.config = config;
        this.version = version;
        this.requestSize = requestSize;
        core = new ContextCore(pointer, config.featureBits(), config.closeTimeout().toNanos(), NanoClock.SYSTEM);
    }

    /**
     * Opens a context.
     *
     * @param config features and settings
     * @return open until {@link #close}
     * @throws io.teff.rdma.RdmaUnavailableException if UCX is missing or too old
     * @throws UcxException if UCX refuses a setting, or has no transport with these features
     */
    public static UcxContext open(UcxConfig config) {
        final UcxVersion version = UcpLibrary.require();
        return create(() -> {
            try (Arena arena = Arena.ofConfined()) {
                final long pointer = init(config, arena);
                final MemorySegment attributes = arena.allocate(ContextAttributes.SIZE, Long.BYTES);
                attributes.set(ValueLayout.JAVA_LONG, UcpLayout.FIELD_MASK, ContextAttributes.HAS_REQUEST_SIZE);
                SetupCall.CONTEXT_QUERY.run(pointer, attributes.address());
                return new UcxContext(config, version, pointer,
                    attributes.get(ValueLayout.JAVA_LONG, ContextAttributes.REQUEST_SIZE));
            }
        });
    }

    private static long init(UcxConfig config, Arena arena) {
        final MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
        SetupCall.CONFIG_READ.run(0, 0, out.address());
        final long settings = out.get(ValueLayout.JAVA_LONG, 0);
        try {
            modify(settings, UcxConfig.DEATH_WATCH, UcxConfig.NEVER, arena);
            for (Map.Entry<String, String> setting : config.settings().entrySet()) {
                modify(settings, setting.getKey(), setting.getValue(), arena);
            }
            final int code = SetupCall.INIT.call(UcxVersion.MAJOR, UcxVersion.MINOR_MIN,
                parameters(config, arena).address(), settings, out.address());
            UcxException.check(SetupCall.INIT.function(), code, "features " + config.features() + ", settings "
                + config.settings());
            return out.get(ValueLayout.JAVA_LONG, 0);
        } finally {
            SetupCall.CONFIG_RELEASE.run(settings);
        }
    }

    private static void modify(long settings, String variable, String value, Arena arena) {
        UcxException.check("ucp_config_modify", SetupCall.CONFIG_MODIFY.call(settings, Native.text(variable, arena),
            Native.text(value, arena)), "the setting was " + variable + "=" + value);
    }

    private static MemorySegment parameters(UcxConfig config, Arena arena) {
        final MemorySegment memory = arena.allocate(Context.SIZE, Long.BYTES);
        long mask = Context.HAS_FEATURES | Context.HAS_WORKERS_SHARED;
        memory.set(ValueLayout.JAVA_LONG, Context.FEATURES, config.featureBits());
        memory.set(ValueLayout.JAVA_INT, Context.WORKERS_SHARED, 1);
        if (config.endpointCount() > 0) {
            mask |= Context.HAS_ENDPOINTS;
            memory.set(ValueLayout.JAVA_LONG, Context.ENDPOINTS, config.endpointCount());
        }
        if (config.tagSenderMask() != 0) {
            mask |= Context.HAS_TAG_SENDER_MASK;
            memory.set(ValueLayout.JAVA_LONG, Context.TAG_SENDER_MASK, config.tagSenderMask());
        }
        if (!config.name().isEmpty()) {
            mask |= Context.HAS_NAME;
            memory.set(ValueLayout.JAVA_LONG, Context.NAME, Native.text(config.name(), arena));
        }
        memory.set(ValueLayout.JAVA_LONG, UcpLayout.FIELD_MASK, mask);
        return memory;
    }

    /**
     * Makes a worker, which belongs to the calling thread if the mode is {@link UcxThreadMode#SINGLE}.
     *
     * @param mode which threads may use it
     * @return open until it or this context is closed
     */
    public UcxWorker worker(UcxThreadMode mode) {
        return create(() -> UcxWorker.make(this, core, mode), this);
    }

    /**
     * Allocates memory that peers can reach. UCX takes the memory from a transport with shared memory where the machine
     * has such a transport, so that processes of this machine reach the memory without a copy.
     *
     * @param size in bytes, at least 1
     * @return zeroed or not, as the transport does it
     */
    public UcxMemory allocate(long size) {
        if (size <= 0) {
            throw new IllegalArgumentException("size=" + size);
        }
        return create(() -> UcxMemory.allocate(this, core, size), this);
    }

    /**
     * Makes memory of the caller reachable for peers.
     *
     * @param segment outside of the heap; it must stay alive until the returned object is closed
     * @return the registration
     */
    public UcxMemory register(MemorySegment segment) {
        if (segment.byteSize() == 0) {
            throw new IllegalArgumentException("the segment is empty");
        }
        Native.target(segment, 0, segment.byteSize());
        return create(() -> UcxMemory.register(this, core, segment), this);
    }

    /**
     * Returns the configuration.
     *
     * @return as it was given to {@link #open}
     */
    public UcxConfig config() {
        return config;
    }

    /**
     * Returns the version of the library.
     *
     * @return at least 1.13
     */
    public UcxVersion version() {
        return version;
    }

    /**
     * Returns how much memory UCX takes for each operation under way.
     *
     * @return bytes
     */
    public long requestSize() {
        return requestSize;
    }

    @Override
    protected void free() {
        if (core.isLeaking()) {
            throw new IllegalStateException("an object of the context could not be freed, so UCX keeps the context");
        }
        SetupCall.CLEANUP.run(core.pointer());
    }
}
