package io.teff.rdma.verbs.device;

import io.teff.rdma.RdmaException;
import io.teff.rdma.ffi.CallState;
import io.teff.rdma.ffi.NativeMemory;
import io.teff.rdma.verbs.call.VerbsLibrary;
import java.lang.foreign.MemorySegment;

/** The list of devices that the library returns. The caller frees the list. */
final class DeviceList {
    private static final int ENOSYS = 38;
    private static final int NAME_BYTES_MAX = 64;

    private DeviceList() {}

    /** Returns the list of the library, or 0 if the kernel has no RDMA. */
    static long get(MemorySegment count) {
        final long list = VerbsLibrary.GET_DEVICE_LIST.call(count.address());
        if (list == 0 && CallState.errno() != ENOSYS) {
            throw new RdmaException(VerbsLibrary.GET_DEVICE_LIST.name(), CallState.errno());
        }
        return list;
    }

    /** Returns an entry of the list. */
    static long device(long list, int index) {
        return NativeMemory.getLong(list + (long) index * Long.BYTES);
    }

    /** Returns the name of a device. */
    static String name(long device) {
        return NativeMemory.text(VerbsLibrary.GET_DEVICE_NAME.pointer(VerbsLibrary.GET_DEVICE_NAME.call(device)),
            NAME_BYTES_MAX);
    }
}
