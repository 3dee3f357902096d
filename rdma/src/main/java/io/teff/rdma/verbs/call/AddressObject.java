package io.teff.rdma.verbs.call;

import java.util.concurrent.locks.ReentrantLock;

/** The base of an address handle, which belongs to one protection domain. */
public abstract class AddressObject extends VerbsObject {
    private final DomainObject domain;

    /**
     * Registers a new address handle with its domain.
     *
     * @param kind a word for messages
     * @param domain the owner
     * @param handle the address of the native object
     */
    protected AddressObject(String kind, DomainObject domain, long handle) {
        super(kind, domain.device(), handle, domain);
        this.domain = domain;
    }

    final boolean isOf(DomainObject other) {
        return domain.equals(other);
    }

    /** {@return the lock of the domain, which a thread holds while the address handle is freed} */
    protected final ReentrantLock addressLock() {
        return domain.addressLock();
    }
}
