package io.teff.rdma.verbs.device;

import io.teff.rdma.RdmaUnavailableException;
import io.teff.rdma.ffi.Lifetimes;
import io.teff.rdma.ffi.NativeMemory;
import io.teff.rdma.verbs.call.VerbsLayout;
import io.teff.rdma.verbs.call.VerbsLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Where a program begins: is there RDMA on this machine, and which devices. Thread-safe. */
public final class Verbs {
    private Verbs() {}

    /** {@return whether libibverbs is installed} There may be no device nevertheless. */
    public static boolean isAvailable() {
        return VerbsLibrary.LIBRARY.isPresent();
    }

    /**
     * {@return the devices of this machine; none if its kernel has no RDMA}
     *
     * @throws RdmaUnavailableException without libibverbs
     */
    public static List<RdmaDevice> devices() {
        VerbsLibrary.LIBRARY.require();
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
            final long list = DeviceList.get(count);
            if (list == 0) {
                return List.of();
            }
            final List<RdmaDevice> devices = new ArrayList<>();
            for (int i = 0; i < count.get(ValueLayout.JAVA_INT, 0); i++) {
                final long device = DeviceList.device(list, i);
                devices.add(new RdmaDevice(DeviceList.name(device),
                    Long.reverseBytes(VerbsLibrary.GET_DEVICE_GUID.call(device)),
                    TransportType.of(NativeMemory.getInt(device + VerbsLayout.DEVICE_TRANSPORT_TYPE))));
            }
            VerbsLibrary.FREE_DEVICE_LIST.call(list);
            return List.copyOf(devices);
        }
    }

    /**
     * {@return a text for each native object that this process has not closed, in the order of creation; with {@code
     * -Dteff.rdma.leaks=true} also the place where it was created}
     */
    public static List<String> openObjects() {
        return Lifetimes.open();
    }
}
