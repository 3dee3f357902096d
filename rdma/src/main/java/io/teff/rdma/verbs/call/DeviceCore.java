package io.teff.rdma.verbs.call;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The common state of all objects of an open device: the native context, the functions of the data path, and the
 * objects that events name. Thread-safe.
 */
public final class DeviceCore {
    private final long context;
    private final DataPath path;
    /** The objects that events name, by their native addresses. */
    private final Map<Long, VerbsObject> sources = new ConcurrentHashMap<>();

    /**
     * Reads the functions of a context.
     *
     * @param context an ibv_context that stays open while this object is used
     * @throws io.teff.rdma.RdmaException if a function is missing
     */
    public DeviceCore(long context) {
        this.context = context;
        path = new DataPath(context);
    }

    /** Returns the address of the ibv_context. */
    public long context() {
        return context;
    }

    /** Returns the functions that post and poll. */
    public DataPath path() {
        return path;
    }

    /** Makes an object known to events. */
    public void add(VerbsObject source) {
        sources.put(source.handle(), source);
    }

    /** Forgets the object at an address. */
    public void remove(long address) {
        sources.remove(address);
    }

    /** Returns the object at an address, or null. */
    public @Nullable VerbsObject source(long address) {
        return sources.get(address);
    }

    /** Tells a queue pair that the device takes no further receive of the shared receive queue. */
    public void lastReceiveReached(VerbsObject source) {
        source.lastReceiveReached();
    }
}
