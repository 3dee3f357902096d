package io.teff.rdma.verbs.call;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The inner side of objects of a device, for the other rooms of the module. Programs hold the same objects, and this
 * package is not exported, so no program reaches a native address.
 */
public final class Handles {
    private Handles() {}

    /** Returns the address of the native object. */
    public static long of(VerbsObject object) {
        return object.handle();
    }

    /** Returns the device of an object. */
    public static DeviceCore device(VerbsObject object) {
        return object.device();
    }

    /** Returns the lock that a thread holds while datagrams are posted. */
    public static ReentrantLock addressLock(DomainObject domain) {
        return domain.addressLock();
    }

    /** Returns whether an address handle belongs to a domain. */
    public static boolean isOf(AddressObject address, DomainObject domain) {
        return address.isOf(domain);
    }
}
