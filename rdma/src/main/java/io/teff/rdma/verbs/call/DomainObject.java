package io.teff.rdma.verbs.call;

import io.teff.rdma.ffi.NativeObject;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The base of a protection domain. A domain has one lock: a thread holds the lock while datagrams are posted, and while
 * an address handle is freed, because posting reads the struct of the handle.
 */
public abstract class DomainObject extends VerbsObject {
    private final ReentrantLock addressLock = new ReentrantLock();

    /**
     * Registers a new domain with its owner.
     *
     * @param kind a word for messages
     * @param device the device of the domain
     * @param handle the address of the native object
     * @param owner the context
     */
    protected DomainObject(String kind, DeviceCore device, long handle, NativeObject owner) {
        super(kind, device, handle, owner);
    }

    final ReentrantLock addressLock() {
        return addressLock;
    }
}
