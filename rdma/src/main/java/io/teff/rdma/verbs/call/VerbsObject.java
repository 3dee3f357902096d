package io.teff.rdma.verbs.call;

import io.teff.rdma.ffi.NativeObject;

/**
 * The base of all objects of a device. Native addresses stay within the module: subclasses have {@link #handle}, other
 * rooms use {@link Handles}.
 */
public abstract class VerbsObject extends NativeObject {
    private final DeviceCore device;
    private final long handle;

    /**
     * Registers a new object with its owners, like the constructor of {@link NativeObject}.
     *
     * @param kind a word for messages, such as "queue pair"
     * @param device the device of the object
     * @param handle the address of the native object
     * @param owners without duplicates
     */
    protected VerbsObject(String kind, DeviceCore device, long handle, NativeObject... owners) {
        super(kind, owners);
        this.device = device;
        this.handle = handle;
    }

    /** {@return the device of this object} */
    protected final DeviceCore device() {
        return device;
    }

    /** {@return the address of the native object} */
    protected final long handle() {
        return handle;
    }

    /** Is called when the device takes no further receive of a shared receive queue for this queue pair. */
    protected void lastReceiveReached() {}
}
