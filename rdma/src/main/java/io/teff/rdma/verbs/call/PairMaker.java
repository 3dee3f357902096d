package io.teff.rdma.verbs.call;

import io.teff.rdma.ffi.NativeObject;
import java.lang.foreign.MemorySegment;

/** Makes and destroys a native queue pair: the verbs and the connection manager have different functions. */
public interface PairMaker {
    /** Returns an object that must outlive the queue pair. */
    NativeObject owner();

    /**
     * Makes a queue pair.
     *
     * @param domain the address of the protection domain
     * @param struct an ibv_qp_init_attr; the library writes the granted sizes into the struct
     * @return the address of the queue pair
     * @throws io.teff.rdma.RdmaException if the device cannot have such a queue pair
     */
    long create(long domain, MemorySegment struct);

    /** Destroys the queue pair. Returns 0 or an errno. */
    long destroy(long pair);
}
